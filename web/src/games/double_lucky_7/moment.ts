/** A missed bid: the trick that is one too many, or at the end of the round those that are missing. */

import { lang, t } from '~/lib/i18n.svelte'
import type { GameEvent, Moment } from '~/lib/play'

export function moment(event: GameEvent, names: string[]): Moment | null {
  if (event.type === 'trick' && Number(event.tricks) === Number(event.bid) + 1) {
    return { tone: 'bad', text: t('double_lucky_7.one_too_many', { name: names[event.seat ?? -1] }) }
  }
  if (event.type !== 'round_end') return null
  const [bids, tricks] = [event.bids as number[], event.tricks as number[]]
  const short = names.filter((_, seat) => (tricks[seat] ?? 0) < (bids[seat] ?? 0))
  if (short.length === 0) return null
  const name = new Intl.ListFormat(lang()).format(short)
  return { tone: 'bad', text: t('double_lucky_7.too_few', { name, n: short.length }) }
}
