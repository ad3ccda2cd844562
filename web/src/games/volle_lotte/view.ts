/** The table of Volle Lotte! as the server shows it. A chance is a pair: in how many of how many ways. In phase `turn`, card, roll and dice aside are what the last turn left lying there. Made from the server's declaration by `make web`: do not edit. */
export interface Table {
  phase: 'turn' | 'rolled' | 'lotte' | 'over'
  /** Who began. */
  first: number
  target: number
  scores: number[]
  card: string | null
  pile: number
  /** Cards in the pile, by kind. */
  left: Record<string, number>
  discard: Record<string, number>
  /** The chance that the next card is a stop. */
  stop_chance: [number, number]
  roll: number[]
  aside: number[]
  /** What the roll brings with every scoring die. */
  roll_points: number
  /** What the dice aside bring. */
  card_points: number
  /** What the turn had brought before them. */
  turn_points: number
  /** What stopping now would score; null: not allowed. */
  stop_points: number | null
  /** Every keep that is legal, with what comes of it. */
  keeps: {
    move: string
    dice: number[]
    /** What these dice bring. */
    points: number
    /** What the turn is worth then, with what the card pays. */
    turn_points: number
    /** Whether all dice are aside then. */
    lotte: boolean
    /** Dice rolled next. */
    rolls: number
    /** The chance that none of them scores. */
    bust: [number, number] | null
  }[]
  /** Under the straight: what this roll brings. */
  new_faces: number[]
  /** Under the straight: the chance that the next roll brings nothing. */
  go_bust: [number, number] | null
  /** Who loses when a ±1000 of this turn is scored. */
  leaders: number[]
  /** What they lose so far. */
  loss: number
  /** Volle Lotte under this clover. */
  lottes: number
  /** Whether these are the last turns. */
  closing: boolean
  clover_winner: number | null
}
