/** What a game's screen is given and what it gives back. The client knows no rule: it draws the view it was sent. */

import type { Component } from 'svelte'
import type { GameInfo } from '~/lib/protocol'

export interface LegalMove {
  id: number
  move: string
  label: string
}

/** One of the game's own events, with a sentence in the reader's language. */
export interface GameEvent {
  type: string
  seat?: number | null
  text?: string
  [field: string]: unknown
}

/** What one seat, or a spectator, may see now. `T` is the game's own table. */
export interface View<T = Record<string, unknown>> {
  ply: number
  round: number
  actor: number | null
  over: boolean
  scores: number[]
  places: number[]
  rounds: GameEvent[]
  table: T
  legal: LegalMove[]
}

/** Who sits on a seat, for the mark beside the name. */
export interface Sitter {
  name: string
  /** What the avatar is drawn from; without it: the name. */
  avatar?: string | null
  /** The bot's level; of a person's seat: that of the bot that plays while they are away. */
  bot: string | null
  person: boolean
  /** Whether the person is connected; always true for a bot. */
  here: boolean
  /** A reaction or words just now, shown at the seat for a few seconds. */
  bubble: string | null
}

/** A match as a screen sees it. All fields are reactive; a replay gives the same with `canPlay` false. */
export interface Play<T = Record<string, unknown>> {
  readonly view: View<T>
  /** The reader's own seat; null for a spectator. The screen puts it nearest to the reader. */
  readonly seat: number | null
  readonly names: string[]
  readonly sitters: Sitter[]
  readonly options: Record<string, unknown>
  /** Whether moves are offered: it is this seat's turn, nothing is flying, no move is on its way. */
  readonly canPlay: boolean
  /** The move that a hint points at; the screen makes it glow. */
  readonly hinted: string | null
  /** The last events, newest last, for what stays on the table after them (who won the trick). */
  readonly recent: GameEvent[]
  /** Play a legal move, by its notation. */
  play(move: string): void
  /** Ask the server why a move is not possible; the answer is shown and read aloud, with its rule. */
  why(move: string): void
}

/** Something that flies over the table from one spot to another while an event is shown. */
export interface Flight {
  from: string
  to: string
  /** What is drawn: props of the game's `Face`; without it a card's back. */
  face?: unknown
  /** Milliseconds after the start of the event; flights of one event may follow each other. */
  delay?: number
}

/** What a game's `index.ts` exports as default. */
export interface GameScreen<T = Record<string, unknown>> {
  /** The table of the game. Its elements carry `data-spot="…"` where cards come from and go to. */
  Screen: Component<{ play: Play<T>; game: GameInfo }>
  /** Draws one card, die or token in flight. */
  Face: Component<{ face: unknown }>
  /** What flies when this event is shown, seen from the view before it. */
  flights(event: GameEvent, before: View<T>, seat: number | null): Flight[]
  /** What the reader of a view holds, as `Face` draws it, for a replay with open cards; null if nobody holds anything. */
  hand?(table: T): unknown[] | null
  /** A score in words, where it is not points. */
  score?(n: number, options: Record<string, unknown>): string
}
