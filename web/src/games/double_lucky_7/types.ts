/** How the cards of Double Lucky 7 are read, and a round that has ended. */

export type Colour = 'R' | 'G' | 'B' | 'Y'

export const COLOURS: Colour[] = ['R', 'G', 'B', 'Y']

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
