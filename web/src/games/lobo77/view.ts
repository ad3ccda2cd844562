/** The table of LOBO 77 as the server shows it. Made from the server's declaration by `make web`: do not edit. */
export interface Table {
  round: number
  dealer: number
  /** Who opened the round. */
  opener: number
  total: number
  /** The totals that cost a token; the last of them ends the round. */
  traps: number[]
  /** 1 clockwise, -1 the other way. */
  direction: number
  /** Who is at turn after the actor. */
  next: number | null
  /** How many cards whoever is at turn has still to play. */
  owed: number
  /** Whether whoever comes next will owe two. */
  next_two: boolean
  tokens: number[]
  /** Who has no token left and is still in. */
  swimming: number[]
  /** Who is out, the first to go first. */
  out: number[]
  hand_sizes: number[]
  /** Cards in the draw pile. */
  draw_pile: number
  top: string | null
  /** The played cards, the last on top. */
  played: string[]
  /** The draws each seat may still make by hand. */
  pending: number[]
  /** The 2x cards each seat is known to hold. */
  sure_2x: number[]
  /** What the last reshuffle made the draw pile of. */
  reshuffled: string[] | null
  hand: string[] | null
}
