"""The sounds, rendered by the browser and measured: heard, never clipped, told apart, as loud as one likes."""

from __future__ import annotations

import itertools
import subprocess
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests import needs
from tests.web.browser.conftest import Visit
from tests.web.browser.playing import HANDS, set_up
from tests.web.browser.tour import prepare
from tests.web.sources import WEB

pytestmark = [pytest.mark.slow, pytest.mark.compiled_only]

CUES = ("card", "dice", "token", "turn", "good", "bad", "win", "message")
RATE = 22050
# Each cue at a volume: the loudest sample, how long it is heard, and how its energy lies in thirds of octaves.
RENDER = """async ([source, cues, volume, rate]) => {
  const { play } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  const told = {}
  for (const cue of cues) {
    const audio = new OfflineAudioContext(1, 2 * rate, rate)
    play(audio, cue, volume)
    const samples = (await audio.startRendering()).getChannelData(0)
    const peak = samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0)
    const heard = samples.findLastIndex((one) => Math.abs(one) > 0.001) / rate
    told[cue] = { peak, heard, shape: shapeOf(samples) }
  }
  return told

  function shapeOf(samples) {
    const bands = Array.from({ length: 18 }, (_, i) => 120 * 2 ** (i / 3))
    const strengths = bands.map((hertz) => {
      let [re, im] = [0, 0]
      let energy = 0
      // In short blocks, so that a tone and a rustle count alike.
      samples.forEach((one, i) => {
        const angle = (2 * Math.PI * hertz * i) / rate
        re += one * Math.cos(angle)
        im += one * Math.sin(angle)
        if (i % 256 === 255) {
          energy += re * re + im * im
          re = im = 0
        }
      })
      return Math.sqrt(energy)
    })
    const total = Math.hypot(...strengths)
    return strengths.map((one) => one / total)
  }
}"""


def module(path: str) -> str:
    """A module of the pages that stands alone, as the browser runs it."""
    packer = WEB / "node_modules" / ".bin" / "esbuild"
    if not packer.exists():
        needs.missing("esbuild is not installed: make web")
    done = subprocess.run([str(packer), path, "--format=esm"], cwd=WEB, check=True, capture_output=True, text=True)
    return done.stdout


def rendered(browser: Browser, volume: float) -> dict[str, Any]:
    page = browser.new_page()
    told: dict[str, Any] = page.evaluate(RENDER, [module("src/lib/cues.ts"), CUES, volume, RATE])
    page.close()
    return told


def test_every_cue_is_heard_and_none_is_like_another(browser: Browser) -> None:
    full, half = rendered(browser, 1), rendered(browser, 0.5)
    for cue in CUES:
        assert 0.05 < full[cue]["peak"] < 0.9, (cue, full[cue]["peak"])
        assert 0.05 < full[cue]["heard"] < 1.9, (cue, full[cue]["heard"])
        # Half the volume sounds half as loud, which is a quarter of the amplitude.
        assert 0.15 < half[cue]["peak"] / full[cue]["peak"] < 0.4, cue
    assert max(one["peak"] for one in rendered(browser, 0).values()) < 1e-6
    for one, other in itertools.combinations(CUES, 2):
        shapes = zip(full[one]["shape"], full[other]["shape"], strict=True)
        alike = sum(a * b for a, b in shapes)
        longer = max(full[one]["heard"], full[other]["heard"]) / min(full[one]["heard"], full[other]["heard"])
        assert alike < 0.97 or longer > 1.25, f"{one} and {other} sound alike: {alike:.3f}"


# What the page plays and how the phone shakes, kept beside what the browser does with it.
LISTEN = """() => {
  window.heard = []
  window.shaken = []
  const gain = window.GainNode
  window.GainNode = new Proxy(gain, {
    construct: (target, [audio, options]) => (window.heard.push(options?.gain), new target(audio, options)),
  })
  const vibrate = navigator.vibrate.bind(navigator)
  navigator.vibrate = (taps) => (window.shaken.push(taps), vibrate(taps))
}"""


def test_volume_and_vibration_are_settings(visit: Visit) -> None:
    """On a phone: a match is heard and felt, until both are switched off in the table's menu."""
    ana = visit(size=(390, 664), is_mobile=True)
    prepare(ana)
    ana.context.add_init_script(f"({LISTEN})()")
    ana.open()
    set_up(ana, "lobo77", 2, 1)
    hand = HANDS["lobo77"](ana)
    menu = ana.button(ana.t("table.menu"), exact=True)

    def settings(volume: str, vibrates: bool) -> None:
        menu.click()
        slider = ana.page.get_by_role("slider", name=ana.t("shell.volume"))
        slider.fill(volume)
        expect(slider).to_have_attribute("aria-valuetext", f"{volume} %" if volume != "0" else ana.t("shell.off"))
        ana.switch(ana.t("shell.haptics"), vibrates)
        ana.page.keyboard.press("Escape")
        ana.page.evaluate("() => { heard.length = shaken.length = 0 }")

    def play(presses: int) -> tuple[list[float], list[list[int]]]:
        goal = hand.pressed + presses
        hand.finish(200, until=lambda: hand.pressed >= goal)
        heard: list[float] = ana.page.evaluate("() => heard")
        shaken: list[list[int]] = ana.page.evaluate("() => shaken")
        return heard, shaken

    settings("50", True)
    heard, shaken = play(2)
    assert 0.25 in heard and shaken, (heard, shaken)
    settings("0", False)
    heard, shaken = play(2)
    assert not heard and not shaken, (heard, shaken)
