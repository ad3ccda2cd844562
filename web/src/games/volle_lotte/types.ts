/** The table of Volle Lotte! as the server shows it. A chance is a pair: in how many of how many ways. */

export type Chance = [number, number]

export interface Keep {
  move: string
  dice: number[]
  /** What these dice bring. */
  points: number
  /** What the turn is worth then, with what the card pays. */
  turn_points: number
  lotte: boolean
  /** Dice rolled next. */
  rolls: number
  bust: Chance | null
}

export interface Table {
  phase: 'turn' | 'rolled' | 'lotte' | 'over'
  first: number
  target: number
  scores: number[]
  card: string | null
  pile: number
  left: Record<string, number>
  discard: Record<string, number>
  stop_chance: Chance
  roll: number[]
  aside: number[]
  roll_points: number
  card_points: number
  turn_points: number
  stop_points: number | null
  keeps: Keep[]
  new_faces: number[]
  go_bust: Chance | null
  leaders: number[]
  loss: number
  lottes: number
  closing: boolean
  clover_winner: number | null
}

/** What flies: a card, a die, points on their way to the track; or nothing, to let something be seen. */
export type Thing = { card: string } | { die: number } | { points: number } | { pause: true }
