import { untrack } from 'svelte'
import type { GameEvent, Play, View } from '~/lib/play'
import type { Table } from './view'

/** What lies on the table while a move is being shown: the view, and what was told since it was sent. */
export interface Shown {
  card: string | null
  roll: number[]
  aside: number[]
  scores: number[]
}

const ROLLS = new Set(['roll', 'straight_roll'])
/** While these are the last thing told they are still in the air. */
const FLYING = new Set(['card', 'keep', 'score'])

/** Follows the events of a match beyond its view. Made while a component is set up. */
export class Following {
  #play: Play<Table>
  /** The last event that the view contains. */
  #known = $state.raw<GameEvent | undefined>(undefined)

  constructor(play: Play<Table>) {
    this.#play = play
    this.#known = untrack(() => play.recent.at(-1))
    $effect.pre(() => {
      void play.view
      this.#known = untrack(() => play.recent.at(-1))
    })
  }

  #pending = $derived.by(() => {
    const { recent } = this.#play
    return recent.slice(this.#known ? recent.lastIndexOf(this.#known) + 1 : 0)
  })

  #shown = $derived.by(() => {
    const landed = FLYING.has(this.#pending.at(-1)?.type ?? '') ? this.#pending.slice(0, -1) : this.#pending
    return landed.reduce(follow, start(this.#play.view))
  })

  get shown(): Shown {
    return this.#shown
  }

  /** Whether what lies there is what the last turn left. */
  get isPast(): boolean {
    const { phase } = this.#play.view.table
    const begun = this.#pending.some((event) => event.type === 'card')
    return !begun && (phase === 'turn' || phase === 'over')
  }

  /** The roll that lies there as it was told, to be seen rolling once; null if it was there before. */
  get rolled(): GameEvent | null {
    const last = this.#play.recent.findLast((event) => ROLLS.has(event.type))
    return last && String(last.dice) === String(this.#shown.roll) ? last : null
  }
}

function start({ table }: View<Table>): Shown {
  return { card: table.card, roll: table.roll, aside: table.aside, scores: table.scores }
}

function follow(shown: Shown, event: GameEvent): Shown {
  const dice = (event.dice ?? []) as number[]
  if (event.type === 'card') return { ...shown, card: event.card as string, roll: [], aside: [] }
  if (ROLLS.has(event.type)) return { ...shown, roll: dice }
  if (event.type === 'keep') return { ...shown, roll: without(shown.roll, dice), aside: [...shown.aside, ...dice] }
  if (event.type === 'score') {
    return { ...shown, scores: shown.scores.with(event.seat as number, event.score as number) }
  }
  return shown
}

function without(roll: number[], dice: number[]): number[] {
  const rest = [...roll]
  for (const face of dice) {
    const at = rest.indexOf(face)
    if (at >= 0) rest.splice(at, 1)
  }
  return rest
}
