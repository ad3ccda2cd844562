/** A match that is over, or has come so far, moment by moment: the same to a screen as a match in play. */

import { momentsOf, replayOf } from '~/lib/api'
import type { GameEvent, GameScreen, Play, Sitter, View } from '~/lib/play'
import { pace } from '~/lib/prefs.svelte'
import type { TableInfo } from '~/lib/protocol'
import { fly } from '~/lib/stage.svelte'

/** A sentence of the log and the moment after it. */
export interface Told {
  key: string
  ply: number
  text: string
}

const BATCH = 24
const RECENT = 12

export class Replaying implements Play {
  readonly canPlay = false
  readonly hinted = null
  ply = $state(0)
  total = $state(0)
  seat = $state<number | null>(null)
  lines = $state.raw<Told[]>([])
  /** Whether every seat may be seen. */
  isOpen = $state(false)
  #view = $state.raw<View | null>(null)
  #seen = $state.raw<GameEvent[][]>([])
  #views = new Map<string, View>()
  #asked = 0

  constructor(
    readonly table: TableInfo,
    readonly screen: GameScreen,
    readonly match: number,
  ) {
    this.isOpen = match < table.match || table.status === 'over'
  }

  get ready(): boolean {
    return this.#view !== null
  }

  get view(): View {
    if (!this.#view) throw new Error('there is nothing to show yet')
    return this.#view
  }

  readonly #names: string[] = $derived.by(() => this.table.seats.map((seat) => seat.name ?? ''))
  readonly #sitters: Sitter[] = $derived.by(() =>
    this.table.seats.map((seat) => ({
      name: seat.name ?? '',
      avatar: seat.avatar,
      bot: null,
      person: true,
      here: true,
      bubble: null,
    })),
  )
  readonly #recent: GameEvent[] = $derived.by(() => this.#seen.slice(0, this.ply + 1).flat().slice(-RECENT))

  get names(): string[] {
    return this.#names
  }

  get sitters(): Sitter[] {
    return this.#sitters
  }

  get recent(): GameEvent[] {
    return this.#recent
  }

  get options(): Record<string, unknown> {
    return this.table.options
  }

  play(): void {}

  why(): void {}

  /** Read the match as a seat saw it, and go to a moment of it. */
  async open(seat: number | null, ply: number): Promise<void> {
    const told = await replayOf(this.table.id, this.match, seat ?? undefined)
    this.seat = seat
    this.total = told.moves.length
    this.#seen = told.seen as GameEvent[][]
    this.lines = this.#seen.flatMap((step, i) =>
      step.flatMap((event, j) => (event.text ? [{ key: `${i}.${j}`, ply: i, text: event.text }] : [])),
    )
    await this.goTo(ply)
  }

  /** Show a moment at once. */
  async goTo(ply: number): Promise<void> {
    const asked = (this.#asked += 1)
    const wanted = Math.max(0, Math.min(this.total, ply))
    const view = await this.at(wanted, this.seat)
    if (asked !== this.#asked) return
    this.ply = wanted
    this.#view = view
  }

  /** Play the next move as movement. */
  async next(speed: number): Promise<void> {
    if (this.ply >= this.total) return
    const asked = (this.#asked += 1)
    const wanted = this.ply + 1
    const view = await this.at(wanted, this.seat)
    const rate = speed * pace()
    if (this.#view && rate !== Infinity && !document.hidden) {
      for (const event of this.#seen[wanted] ?? []) {
        if (asked !== this.#asked) return
        const flights = this.screen.flights(event, this.#view, this.seat)
        if (flights.length > 0) await fly(flights, this.screen.Face, rate)
      }
    }
    if (asked !== this.#asked) return
    this.ply = wanted
    this.#view = view
  }

  /** The view at a moment; those around it are fetched along. */
  async at(ply: number, seat: number | null): Promise<View> {
    const name = (at: number) => `${seat}.${at}`
    const known = this.#views.get(name(ply))
    if (known) return known
    const isBefore = !this.#views.has(name(ply - 1)) && this.#views.has(name(ply + 1))
    const first = isBefore ? Math.max(0, ply - BATCH + 1) : ply
    const told = await momentsOf(this.table.id, first, BATCH, this.match, seat ?? undefined)
    told.views.forEach((view, i) => this.#views.set(name(told.first + i), view as unknown as View))
    const found = this.#views.get(name(ply))
    if (!found) throw new Error(`no moment ${ply}`)
    return found
  }
}
