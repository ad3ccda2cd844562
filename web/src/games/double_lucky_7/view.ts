/** The table of Double Lucky 7 as the server shows it. Made from the server's declaration by `make web`: do not edit. */
export interface Table {
  phase: 'trump' | 'bids' | 'play' | 'over'
  round: number
  /** Rounds of the match. */
  rounds: number
  /** Cards each in this round. */
  cards: number
  dealer: number
  /** Cards that were not dealt, without the turned one. */
  deck: number
  turned: string
  trump: 'R' | 'G' | 'B' | 'Y' | null
  hand_sizes: number[]
  bids: (number | null)[]
  /** What the next bid must not be. */
  forbidden_bid: number | null
  tricks: number[]
  /** Who led, or leads, the trick. */
  leader: number
  /** The card each seat has played to it. */
  trick: (string | null)[]
  /** Whose card would take the trick as it lies (D11). */
  winning: number | null
  /** Cards played in this round. */
  played: string[]
  /** Colours each seat has shown it lacks. */
  void: string[]
  points: number[]
  /** Whether a bid made brings more in this round. */
  double_round: boolean
  /** The rounds in which it does. */
  double_rounds: number[]
  hand: string[] | null
}
