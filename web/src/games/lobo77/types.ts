/** The table of LOBO 77 as the server shows it. */
export interface Table {
  round: number
  dealer: number
  opener: number
  total: number
  /** The totals that cost a token; the last of them ends the round. */
  traps: number[]
  direction: number
  /** Who is at turn after the actor. */
  next: number | null
  /** How many cards whoever is at turn has still to play. */
  owed: number
  /** Whether whoever comes next will owe two. */
  next_two: boolean
  tokens: number[]
  swimming: number[]
  out: number[]
  hand: string[] | null
  hand_sizes: number[]
  draw_pile: number
  top: string | null
  played: string[]
  /** The draws each seat may still make by hand. */
  pending: number[]
  /** The 2x cards each seat is known to hold. */
  sure_2x: number[]
  reshuffled: string[] | null
}

/** What `Face` draws in flight. */
export type Drawn = { card: string } | { token: 'token' | 'swim' } | { owes: true }
