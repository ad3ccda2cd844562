/** How the table of any game is laid out: its view's fields, each by what its value is. */

import type { View } from '~/lib/play'
import type { FieldInfo } from '~/lib/protocol'

/** A field and its value now. */
export interface Shown {
  info: FieldInfo
  value: unknown
}

export interface Layout {
  /** Numbers and words. */
  facts: Shown[]
  flags: Shown[]
  /** Lists and objects. */
  heaps: Shown[]
  /** What each seat has, and what it is called for: dealer, leader. */
  seats: { facts: Shown[]; marks: string[] }[]
  /** What the reader holds. */
  hand: Shown | null
}

/** By this name a view has what its reader holds. */
const HAND = 'hand'
/** By these names a view repeats the scores, which stand at the seats anyway. */
const SCORES = ['scores', 'points']

export function layOut(fields: FieldInfo[], view: View, count: number): Layout {
  const layout: Layout = {
    facts: [],
    flags: [],
    heaps: [],
    seats: Array.from({ length: count }, () => ({ facts: [], marks: [] })),
    hand: null,
  }
  const known = new Map(fields.map((info) => [info.name, info]))
  for (const [name, value] of Object.entries(view.table)) {
    const info = known.get(name) ?? plain(name)
    if (value === null || value === undefined || value === '') continue
    if (SCORES.includes(name) && String(value) === String(view.scores)) continue
    if (info.by_seat && Array.isArray(value)) {
      value.forEach((one, seat) => {
        if (!isEmpty(one)) layout.seats[seat]?.facts.push({ info, value: one })
      })
    } else if (info.seat && isScalars(value)) {
      for (const seat of [value].flat()) layout.seats[Number(seat)]?.marks.push(info.label)
    } else if (name === HAND && Array.isArray(value)) {
      layout.hand = { info, value }
    } else if (typeof value === 'boolean') {
      layout.flags.push({ info, value })
    } else {
      const isFact = typeof value === 'number' || typeof value === 'string'
      layout[isFact ? 'facts' : 'heaps'].push({ info, value })
    }
  }
  return layout
}

/** A field that the server says nothing about. */
export function plain(name: string): FieldInfo {
  const words = name.replaceAll('_', ' ')
  return { name, label: words.charAt(0).toUpperCase() + words.slice(1) }
}

/** Nothing to show: null, no word, or a list without items. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** A number or word, or a list of them. */
function isScalars(value: unknown): boolean {
  return [value].flat().every((one) => typeof one !== 'object')
}

/** The objects in a list, if it has nothing else. */
export function rowsOf(value: unknown): Record<string, unknown>[] | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const isRows = value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  return isRows ? (value as Record<string, unknown>[]) : null
}

/** The fields of an object, those that are declared first. */
export function fieldsOf(info: FieldInfo, value: Record<string, unknown>): FieldInfo[] {
  const declared = info.fields ?? []
  const names = new Set(declared.map((one) => one.name))
  const rest = Object.keys(value).filter((name) => !names.has(name))
  return [
    ...declared.filter((one) => one.name in value),
    // Keys that are values themselves, such as kinds of cards.
    ...rest.map((name) => ({ ...plain(name), label: info.words?.[name] ?? plain(name).label, seat: info.seat })),
  ]
}
