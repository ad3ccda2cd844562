import type { Checked, PadProblem } from '~/lib/protocol'
import type { Entry, PadForm, Value } from './types'

/** An entry while it is being filled in, and what the server says of it. Nothing is checked here. */
export class Draft {
  #values = $state<Record<string, Value | null | (Value | null)[]>>({})
  /** What is wrong so far, each at its field. */
  errors = $state.raw<PadProblem[]>([])
  /** Whether somebody has tried to write it: what is missing is said from then on. */
  tried = false
  /** How often something was filled in. */
  changes = $state(0)
  /** The values as the server reads them, with what it worked out. */
  #read = $state.raw<Record<string, unknown>>({})

  constructor(
    readonly form: PadForm,
    readonly players: number,
    entry?: Entry,
  ) {
    for (const field of form.fields) {
      const empty = field.each ? Array.from({ length: players }, () => field.default) : field.default
      const given = entry?.[field.name]
      this.#values[field.name] = given === undefined ? empty : Array.isArray(given) ? [...given] : given
    }
  }

  get(name: string, seat?: number): Value | null {
    const value = this.#values[name]
    return (Array.isArray(value) ? value[seat ?? 0] : value) ?? null
  }

  set(name: string, value: Value | null, seat?: number): void {
    const all = this.#values[name]
    if (Array.isArray(all) && seat !== undefined) all[seat] = value
    else this.#values[name] = value
    this.changes += 1
  }

  /** What the server has found. */
  take(found: Checked): void {
    this.#read = found.values
    this.errors = this.tried ? [...found.errors, ...found.missing] : found.errors
  }

  /** What a text was counted as, where the server has counted one. */
  counted(name: string, seat: number): number | null {
    if (typeof this.get(name, seat) !== 'string') return null
    const value = (this.#read[name] as unknown[] | undefined)?.[seat]
    return typeof value === 'number' ? value : null
  }

  /** What is shown at one player's value, or with no seat at the field as a whole. */
  problem(name: string, seat?: number): PadProblem | undefined {
    const each = this.form.fields.find((field) => field.name === name)?.each
    return this.errors.find(({ field, seats = [] }) => {
      if (field !== name) return false
      const alone = each && seats.length === 1
      return seat === undefined ? !alone : alone && seats[0] === seat
    })
  }

  /** Whether something is wrong with a value, by itself or together with others. */
  wrong(name: string, seat?: number): boolean {
    return this.errors.some(
      ({ field, seats = [] }) => field === name && (seat === undefined || !seats.length || seats.includes(seat)),
    )
  }

  /** The numbers written so far for each player; null where there is none yet. */
  numbers(name: string): (number | null)[] {
    const all = this.#values[name]
    return Array.isArray(all) ? all.map((value) => (typeof value === 'number' ? value : null)) : []
  }

  get sum(): number {
    const each = this.form.fields.find((field) => field.each)
    return each ? this.numbers(each.name).reduce((sum: number, value) => sum + (value ?? 0), 0) : 0
  }

  entry(): Entry {
    return $state.snapshot(this.#values) as Entry
  }
}
