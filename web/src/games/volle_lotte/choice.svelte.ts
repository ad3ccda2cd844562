import type { Play } from '~/lib/play'
import type { Keep } from './types'
import type { Table } from './view'

/** Whether all of `part` is in `whole`, each die as often. */
function holds(whole: number[], part: number[]): boolean {
  const rest = [...whole]
  return part.every((face) => {
    const at = rest.indexOf(face)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
}

/** The dice a player has picked out of the roll. They always make one of the keeps that the server offers. */
export class Choice {
  #play: Play<Table>
  #picked = $state<{ ply: number; dice: number[] }>({ ply: -1, dice: [] })

  constructor(play: Play<Table>) {
    this.#play = play
  }

  get roll(): number[] {
    return this.#play.view.table.roll
  }

  get keeps(): Keep[] {
    return this.#play.canPlay ? this.#play.view.table.keeps : []
  }

  /** Which dice of the roll are picked, by their place. A single possibility is picked from the start. */
  get dice(): number[] {
    if (this.#picked.ply === this.#play.view.ply) return this.#picked.dice
    const only = this.keeps.length === 1 ? this.keeps[0] : undefined
    return only ? this.#places(only.dice, []) : []
  }

  get #faces(): number[] {
    return this.dice.map((place) => this.roll[place]!)
  }

  get keep(): Keep | null {
    const faces = this.#faces
    return this.keeps.find((keep) => keep.dice.length === faces.length && holds(keep.dice, faces)) ?? null
  }

  /** The keeps that contain what is picked. */
  get fitting(): Keep[] {
    return this.keeps.filter((keep) => holds(keep.dice, this.#faces))
  }

  /** Whether some keep has this die. */
  counts(place: number): boolean {
    return this.keeps.some((keep) => keep.dice.includes(this.roll[place]!))
  }

  /** Pick a die, with those it needs (three of a kind come together), or put it back. */
  toggle(place: number): void {
    const face = this.roll[place]!
    if (!this.dice.includes(place)) {
      const wanted = [...this.#faces, face]
      const fits = this.keeps.filter((keep) => holds(keep.dice, wanted))
      const least = fits.toSorted((a, b) => a.dice.length - b.dice.length)[0]
      if (least) this.#pick(least.dice, [...this.dice, place])
      else this.#play.why(`keep ${face} ${face} ${face}`)
      return
    }
    const rest = this.dice.filter((other) => other !== place)
    const faces = rest.map((other) => this.roll[other]!)
    const left = this.keeps.filter((keep) => holds(faces, keep.dice))
    const most = left.toSorted((a, b) => b.dice.length - a.dice.length)[0]
    this.#pick(most?.dice ?? [], rest)
  }

  /** Pick a die by its face: one more of them, or all back when there are no more. */
  toggleFace(face: number): void {
    const places = this.roll.flatMap((each, place) => (each === face ? [place] : []))
    const free = places.find((place) => !this.dice.includes(place))
    const bound = places.find((place) => this.dice.includes(place))
    const more = free !== undefined && this.keeps.some((keep) => holds(keep.dice, [...this.#faces, face]))
    if (more) this.toggle(free)
    else if (bound !== undefined) this.toggle(bound)
    else if (free !== undefined) this.toggle(free)
  }

  choose(keep: Keep): void {
    this.#pick(keep.dice, this.dice)
  }

  clear(): void {
    this.#pick([], [])
  }

  #pick(faces: number[], preferred: number[]): void {
    this.#picked = { ply: this.#play.view.ply, dice: this.#places(faces, preferred) }
  }

  #places(faces: number[], preferred: number[]): number[] {
    const free = [...preferred, ...this.roll.keys()]
    const places: number[] = []
    for (const face of faces) {
      const place = free.find((at) => this.roll[at] === face && !places.includes(at))
      if (place !== undefined) places.push(place)
    }
    return places
  }
}
