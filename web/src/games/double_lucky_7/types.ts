/** What the server sends of Double Lucky 7, and how its cards are read. */

export type Colour = 'R' | 'G' | 'B' | 'Y'

export const COLOURS: Colour[] = ['R', 'G', 'B', 'Y']

export interface Table {
  phase: 'trump' | 'bids' | 'play' | 'over'
  round: number
  rounds: number
  cards: number
  dealer: number
  /** Cards nobody has. */
  deck: number
  turned: string
  trump: Colour | null
  hand: string[] | null
  hand_sizes: number[]
  bids: (number | null)[]
  forbidden_bid: number | null
  tricks: number[]
  leader: number
  trick: (string | null)[]
  played: string[]
  points: number[]
  double_round: boolean
  double_rounds: number[]
}

/** A round that ended, as the view lists it. */
export interface RoundEnd {
  round: number
  points: number[]
  bids: number[]
  tricks: number[]
}

export const JOKER = 'joker'

/** The colour of a card such as `R14`; null for the joker. */
export function colourOf(card: string): Colour | null {
  return card === JOKER ? null : (card.charAt(0) as Colour)
}

export function numberOf(card: string): number {
  return Number(card.slice(1))
}
