/** What a game's screen is given and what it gives back. The client knows no rule: it draws the view it was sent. */

import type { Component } from 'svelte'
import type { Cue } from '~/lib/cues'
import type { GameInfo, Reaction } from '~/lib/protocol'

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

/** What somebody just said, or the reaction they showed. */
export interface Bubble {
  text: string
  mark?: Reaction
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
  bubble: Bubble | null
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

/** Something that nobody should miss. */
export interface Moment {
  tone: 'good' | 'bad'
  text: string
}

/** What is needed of a match to say it in words. */
export type Told<T = Record<string, unknown>> = Pick<Play<T>, 'view' | 'seat' | 'names' | 'options'>

/** A table in words. */
export interface Said {
  /** What lies on the table, a sentence each. */
  table: string[]
  /** What stands at each seat, in a few words each. */
  seats: string[][]
  /** The names of what the reader holds; null where nobody holds anything. */
  hand: string[] | null
}

/** What a game's `index.ts` exports as default. */
export interface GameScreen<T = Record<string, unknown>> {
  /** The table of the game. Its elements carry `data-spot="…"` where cards come from and go to. */
  Screen: Component<{ play: Play<T>; game: GameInfo }>
  /** Draws one card, die or token in flight. */
  Face: Component<{ face: unknown }>
  /** What flies when this event is shown, seen from the view before it. */
  flights(event: GameEvent, before: View<T>, seat: number | null): Flight[]
  /** The table in words, for those who ask for it. */
  aloud(play: Told<T>, game: GameInfo): Said | Promise<Said>
  /** What an event sounds like, where it is not a card; null: nothing but that. */
  cue?(event: GameEvent): Cue | null
  /** What the reader of a view holds, as `Face` draws it, for a replay with open cards; null if nobody holds anything. */
  hand?(table: T): unknown[] | null
  /** What an event that nobody should miss means to the table: it is held up for a while, in large letters. */
  moment?(event: GameEvent, names: string[]): Moment | null
}
