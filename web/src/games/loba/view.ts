/** The table of Loba as the server shows it. Made from the server's declaration by `make web`: do not edit. */
export interface Table {
  phase: 'draw' | 'play' | 'contract' | 'discard' | 'over'
  round: number
  rounds: number
  contract: {
    brelans: number
    quartes: number
  }
  /** What is still to be laid of a contract that is being laid. */
  needed: {
    brelans: number
    quartes: number
  }
  turn: number
  /** After how many the round ends. */
  turns: number
  dealer: number
  /** Cards in the stock. */
  stock: number
  /** The discard pile, its top first. */
  pile: string[]
  melds: {
    kind: 'set' | 'run'
    cards: string[]
    /** What it stands for: a card, or in mixed suits and in sets a rank. */
    joker: string | null
    /** What is added at its low end; anything else goes to the high one. */
    low: string[]
  }[]
  /** What was taken from the pile in this turn, as long as it is in the hand. */
  taken: string | null
  hand_sizes: number[]
  /** Who has laid the contract. */
  down: boolean[]
  /** Cards that everybody knows to be in each hand. */
  known: string[][]
  points: number[]
  /** What the round before brought. */
  last_points: number[]
  /** The hands at its end. */
  last_hands: string[][]
  /** What the stock was made of when it was last made of discards, less what the seat has drawn of it. */
  recycled: string[] | null
  hand: string[] | null
  /** All that could be laid of the hand if a contract asked for it. */
  combinations: { kind: 'set' | 'run'; worth: number; cards: string[] }[]
  /** Whether cards may be added to what was laid. */
  can_add: boolean
}
