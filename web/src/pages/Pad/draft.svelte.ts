import type { Entry, PadForm, Value } from './types'

/** An entry while it is being filled in. Nothing is checked here but that nothing is missing. */
export class Draft {
  #values = $state<Record<string, Value | null | (Value | null)[]>>({})

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

  get complete(): boolean {
    return Object.values(this.#values).every((value) =>
      Array.isArray(value) ? value.every((one) => one !== null) : value !== null,
    )
  }

  entry(): Entry {
    return $state.snapshot(this.#values) as Entry
  }
}
