/** The table of any game in words: its view's fields by their labels. */

import { viewOf } from '~/lib/api'
import { list } from '~/lib/aloud'
import { number, t } from '~/lib/i18n.svelte'
import type { Said, Told } from '~/lib/play'
import type { FieldInfo, GameInfo } from '~/lib/protocol'
import { fieldsOf, isEmpty, layOut, type Shown } from './layout'

export async function aloud({ view, names }: Told, game: GameInfo): Promise<Said> {
  // Names of fields are labels too.
  const fields = await viewOf(game.id).then(
    (found) => found.fields,
    () => [],
  )
  const layout = layOut(fields, view, names.length)
  const said = ({ info, value }: Shown) => t('generic.aloud_field', { label: info.label, value: sayValue(info, value, names) })
  return {
    table: [...layout.facts, ...layout.flags, ...layout.heaps].map(said),
    seats: layout.seats.map(({ facts, marks }, seat) => [
      t('parts.points', { n: view.scores[seat] ?? 0 }),
      ...marks,
      ...facts.map(said),
    ]),
    hand: layout.hand ? (layout.hand.value as unknown[]).map((one) => sayValue(layout.hand!.info, one, names)) : null,
  }
}

/** A value in words, by what it is. */
export function sayValue(info: FieldInfo, value: unknown, names: string[]): string {
  if (isEmpty(value)) return t('generic.none')
  if (typeof value === 'boolean') return t(value ? 'generic.yes' : 'generic.no')
  if (typeof value === 'number') return info.seat ? (names[value] ?? '') : number(value)
  if (Array.isArray(value)) return list(value.map((one) => sayValue(info, one, names)))
  if (typeof value === 'object') {
    const object = value as Record<string, unknown>
    return list(fieldsOf(info, object).map((field) => `${field.label} ${sayValue(field, object[field.name], names)}`))
  }
  return info.words?.[String(value)] ?? String(value)
}
