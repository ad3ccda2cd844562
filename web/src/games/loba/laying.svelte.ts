/** What the player has confirmed and is now played move by move, each as soon as the server offers it. */

import type { Play } from '~/lib/play'
import { addsOf, exactLays, laysOf, type Lay } from './moves'
import type { Table } from './view'

/** Lay these cards, or add cards to a combination: `meld` 0 is the one laid last. */
type Step = { lay: Lay } | { add: string[]; meld: number; end?: string }

export class Laying {
  #play: Play<Table>
  #plan = $state.raw<Step[]>([])
  #round = 0
  #sentAt = -1

  /** Made while a component is set up: it goes on with the plan whenever it may. */
  constructor(play: Play<Table>) {
    this.#play = play
    $effect(() => this.step())
  }

  get isBusy(): boolean {
    return this.#plan.length > 0
  }

  start(plan: Step[]): void {
    this.#round = this.#play.view.round
    this.#sentAt = -1
    this.#plan = plan
  }

  /** Play the next move of the plan, if it is offered now. */
  step(): void {
    const { view, seat, canPlay } = this.#play
    const step = this.#plan[0]
    if (!step) return
    const isOver = view.actor !== seat || view.round !== this.#round
    // A move that has come back without changing anything was refused.
    const isRefused = canPlay && view.ply === this.#sentAt
    if (isOver || isRefused) this.#plan = []
    else if (canPlay && 'lay' in step) this.#lay(step.lay)
    else if (canPlay && 'add' in step) this.#add(step)
  }

  #send(move: string, rest: Step[]): void {
    this.#sentAt = this.#play.view.ply
    this.#plan = rest
    this.#play.play(move)
  }

  #lay(lay: Lay): void {
    const offered = exactLays(lay.cards, laysOf(this.#play.view.legal, this.#play.view.table.combinations))
    const found = offered.find(({ move }) => move === lay.move) ?? offered[0]
    if (found) return this.#send(found.move, this.#plan.slice(1))
    this.#plan = []
    this.#play.why(lay.move)
  }

  #add(step: { add: string[]; meld: number; end?: string }): void {
    const { view } = this.#play
    const meld = step.meld || view.table.melds.length
    const offered = addsOf(view.legal).filter((add) => add.meld === meld && step.add.includes(add.card))
    const found = offered.find((add) => add.end === step.end) ?? offered[0]
    const rest = this.#plan.slice(1)
    if (!found) {
      this.#plan = rest
      return
    }
    const left = [...step.add]
    left.splice(left.indexOf(found.card), 1)
    this.#send(found.move, left.length ? [{ ...step, add: left, meld }, ...rest] : rest)
  }
}
