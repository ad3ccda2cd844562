"""Somebody with a browser: a page of their own, and all that goes wrong on it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response, expect

from ludotheque.core.grammar import begins_with_vowel, elided, plural
from tests.web.sources import texts

PHONE, TABLET, DESKTOP = (360, 740), (820, 1180), (1280, 800)
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"
# A point of an element where nothing lies over it, brought into sight if need be: cards of a hand overlap.
FREE_POINT = """element => {
  for (const block of ['nearest', 'center']) {
    element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' })
    const box = element.getBoundingClientRect()
    for (const y of [0.5, 0.25, 0.75, 0.1, 0.9]) for (const x of [0.5, 0.3, 0.15, 0.06, 0.7, 0.94]) {
      const [left, top] = [box.left + x * box.width, box.top + y * box.height]
      if (element.contains(document.elementFromPoint(left, top))) return [left, top]
    }
  }
  return null
}"""
FIRST_POINT = f"""selectors => {{
  for (const selector of selectors) {{
    const element = document.querySelector(selector)
    if (element) return [selector, ({FREE_POINT})(element)]
  }}
  return [null, null]
}}"""


class Visitor:
    """A browser context with one page. What goes wrong on it is kept in `troubles`, unless it was `forgiven`."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        lang: str = "en",
        size: tuple[int, int] = DESKTOP,
        name: str = "Ana",
        **context: Any,
    ) -> None:
        self.address = address
        self.lang = lang
        self.troubles: list[str] = []
        self.forgiven: list[str] = []
        self.is_phone = size[0] < 600
        self.context = browser.new_context(
            locale=LOCALES[lang],
            viewport={"width": size[0], "height": size[1]},
            has_touch=self.is_phone,
            **context,
        )
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self._listen(self.page)
        self.name = name

    def _listen(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.troubles.append(f"uncaught: {error}"))
        page.on("requestfailed", self._failed)
        page.on("request", self._request)
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        # What was under way when the page was left.
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"failed: {request.url} {request.failure}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.troubles.append(f"asked elsewhere: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.troubles.append(f"status {response.status}: {response.url}")

    def forgive(self, *patterns: str) -> None:
        """Troubles that a test brings about itself."""
        self.forgiven += patterns

    def check(self) -> None:
        """Nothing went wrong so far, and nothing scrolls sideways."""
        bad = [one for one in self.troubles if not any(re.search(pattern, one) for pattern in self.forgiven)]
        assert not bad, "\n".join(bad)
        self.fits()

    def fits(self) -> None:
        """Nothing scrolls sideways."""
        assert self.page.evaluate(SIDEWAYS) <= 0, f"scrolls sideways: {self.page.url}"

    def close(self) -> None:
        """Leave. What breaks off now is no trouble."""
        self.context.close()

    def open(self, path: str = "/") -> None:
        """Go to an address of the server."""
        self.page.goto(path if path.startswith("http") else self.address + path)

    @property
    def path(self) -> str:
        """Where the page is now."""
        return urlsplit(self.page.url).path

    def button(self, name: str | re.Pattern[str], exact: bool = False) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    def t(self, key: str, **params: object) -> str:
        """A text of the catalogues as this visitor reads it."""
        area, name = key.split(".", 1)
        text = texts(self.lang, area)[name]

        said, end = "", 0
        for hole in re.finditer(r"\{([^}]+)\}", text):
            name, *forms = hole[1].split("|")
            value = forms[plural(self.lang, float(str(params[name]))) != "one"] if forms else str(params[name])
            before = text[end : hole.start()]
            short = elided(before, self.lang)
            said += (before if short is None or not begins_with_vowel(value) else short) + value
            end = hole.end()
        return said + text[end:]

    def press(self, target: Locator) -> None:
        """Click, or on a phone tap, where the element can be seen."""
        self._hit(lambda: (str(target), target.evaluate(FREE_POINT)))

    def press_first(self, *selectors: str) -> bool:
        """Press what the first of the selectors finds that finds something now."""
        return self._hit(lambda: self.page.evaluate(FIRST_POINT, selectors))

    def _hit(self, find: Callable[[], tuple[str | None, list[float] | None]]) -> bool:
        """Press the point that is found; something that lies over it has a moment to move away."""
        for _ in range(20):
            what, point = find()
            if what is None:
                return False
            if point is not None:
                (self.page.touchscreen.tap if self.is_phone else self.page.mouse.click)(*point)
                return True
            self.page.wait_for_timeout(50)
        raise AssertionError(f"something lies over {what}")

    def say_name(self) -> None:
        """Fill in the name when it is asked, as it is once."""
        form = self.page.locator("#name-form")
        field = form.get_by_role("textbox")
        field.fill(self.name)
        field.press("Enter")
        expect(form).to_have_count(0)

    def hurry(self) -> None:
        """Set movements to none, in the settings of the first page."""
        self.button(self.t("shell.settings")).click()
        self.choose(self.t("shell.speed"), self.t("shell.speed_none"))
        self.page.keyboard.press("Escape")

    def choose(self, label: str, words: str) -> None:
        """One of a few in a row."""
        self.page.get_by_role("group", name=label, exact=True).get_by_role("radio", name=words, exact=True).check()

    def switch(self, label: str, on: bool) -> None:
        """Turn something on or off."""
        switch = self.page.get_by_role("switch", name=label, exact=True)
        if switch.is_checked() != on:
            self.press(switch.locator("xpath=ancestor::label"))
        expect(switch).to_be_checked(checked=on)

    def set_option(self, option: dict[str, Any], value: Any) -> None:
        """Choose a variant on the page that sets up a table or a pad."""
        label = option["label"]
        if option["kind"] == "flag":
            self.switch(label, value)
        elif option["kind"] == "choice":
            self.choose(label, next(one["label"] for one in option["values"] if one["value"] == value))
        elif (option["high"] - option["low"]) // option["step"] < 7:
            self.choose(label, str(value))
        else:
            field = self.page.get_by_label(label, exact=True)
            field.fill(str(value))
            field.press("Tab")
