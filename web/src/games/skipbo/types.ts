/** The table of Skip-Bo as the server shows it: piles with the top card first, building piles from the 1 up. */
export interface Table {
  phase: 'playing' | 'drawing' | 'over'
  dealer: number
  hand: string[] | null
  hand_sizes: number[]
  /** Cards of each hand that everybody has seen. */
  shown: string[][]
  stocks: { left: number; top: string | null; next: string | null }[]
  discards: string[][][]
  built: string[][]
  heights: number[]
  /** The number each building pile takes next. */
  next: number[]
  draw: number
  aside: number
  partners: number[] | null
  played: boolean
  match: 'single' | 'points'
  target: number | null
  points: number[]
  no_fill: number[]
  open_play: { seat: number; move: string; card: string } | null
  silent: number | null
}

/** What `Face` draws in flight: a card, and the number a Skip-Bo stands for. */
export interface Drawn {
  card: string
  as?: number
}
