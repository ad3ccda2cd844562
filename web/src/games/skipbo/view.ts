/** The table of Skip-Bo De Luxe as the server shows it. Made from the server's declaration by `make web`: do not edit. */
export interface Table {
  phase: 'playing' | 'drawing' | 'over'
  dealer: number
  hand_sizes: number[]
  /** Cards of each hand that everybody has seen. */
  shown: string[][]
  stocks: {
    left: number
    top: string | null
    /** The card below the top, if everybody has seen it. */
    next: string | null
  }[]
  /** The discard piles of each seat, top card first. */
  discards: [string[], string[], string[], string[]][]
  /** The building piles, from the 1 up. */
  built: [string[], string[], string[], string[]]
  /** How high each building pile is. */
  heights: [number, number, number, number]
  /** The number each building pile takes next. */
  next: [number, number, number, number]
  /** Cards in the draw pile. */
  draw: number
  /** Cards put aside. */
  aside: number
  /** In teams: the partner of each seat. */
  partners: number[] | null
  /** Whether a card was played in this turn. */
  played: boolean
  match: 'single' | 'points'
  /** The points that win. */
  target: number | null
  points: number[]
  /** Who may not fill the hand at the next turn. */
  no_fill: number[]
  /** A play out of turn that can still be called. */
  open_play: {
    seat: number
    move: string
    card: string
  } | null
  /** The partner who may not speak. */
  silent: number | null
  hand: string[] | null
}
