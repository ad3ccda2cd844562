/** The pause after a round: how it ended is shown until the server says that everybody has pressed on. */

import { recapOf } from '~/lib/api'
import type { Live } from '~/lib/live.svelte'
import type { GameEvent } from '~/lib/play'
import { prefs } from '~/lib/prefs.svelte'
import type { RoundRecap } from '~/lib/protocol'

/** How long the page waits for the reasons before it shows the round without them. */
const PATIENCE = 2000
/** How long a short pause is. */
const SHORT = 8000

export class Intermission {
  /** The round that is shown. */
  round = $state.raw<RoundRecap | null>(null)
  #isOn = $state(false)
  #release: (() => void) | null = null
  #press: ReturnType<typeof setTimeout> | undefined

  constructor(readonly live: Live) {}

  get isOn(): boolean {
    return this.#isOn
  }

  /** Whether the table waits for the reader to press on. */
  get isAwaited(): boolean {
    return this.live.seat !== null && this.live.waiting.includes(this.live.seat)
  }

  /** Show how a round ended until all have pressed on. `passes`: the reader does not want to look at it. */
  async hold(event: GameEvent, passes: boolean): Promise<void> {
    if (this.live.waiting.length === 0 || this.#isOn) return
    this.#isOn = true
    const released = new Promise<void>((done) => (this.#release = done))
    if (passes || prefs.pause === 'none') this.pressOn()
    else {
      const number = Number(event.round)
      const [points, scores] = [event.points as number[], event.scores as number[]]
      const plain = { round: number, title: '', points, scores, reasons: [] }
      const found = await Promise.race([this.#reasons(number), later(PATIENCE), released])
      if (this.#isOn) this.round = found || plain
      if (prefs.pause === 'short') this.#press = setTimeout(() => this.pressOn(), SHORT)
    }
    this.look()
    await released
  }

  async #reasons(number: number): Promise<RoundRecap | null> {
    try {
      const { rounds } = await recapOf(this.live.id)
      return rounds.findLast((one) => one.round === number) ?? null
    } catch {
      return null
    }
  }

  pressOn(): void {
    clearTimeout(this.#press)
    if (this.isAwaited) void this.live.ask({ type: 'ready' })
  }

  /** Whom the table waits for may have changed. */
  look(): void {
    if (!this.#isOn || this.live.waiting.length > 0) return
    clearTimeout(this.#press)
    this.#isOn = false
    this.round = null
    this.#release?.()
  }
}

function later(time: number): Promise<null> {
  return new Promise((done) => setTimeout(() => done(null), time))
}
