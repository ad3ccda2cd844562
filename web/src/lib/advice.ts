/** Which of the expert's thoughts are shown, and in which order. */

import type { Advice } from './protocol'

const MOST = 3
/** Moves that were hardly thought about have no chances worth telling. */
const CONSIDERED = 0.05
/** What looks better than the expert's own choice counts only if it was thought about about as long. */
const COMPARABLE = 0.5

/** The moves worth telling, the best chance first. Of equal ones the expert's order holds, whose choice comes first. */
export function worthTelling(moves: Advice[]): Advice[] {
  const choice = moves[0]
  if (!choice) return []
  const isSound = ({ win, share }: Advice) =>
    share >= CONSIDERED && (win <= choice.win || share >= COMPARABLE * choice.share)
  return moves
    .filter((one) => one === choice || isSound(one))
    .toSorted((a, b) => b.win - a.win)
    .slice(0, MOST)
}
