import { t } from '~/lib/i18n.svelte'
import type { Said, Told } from '~/lib/play'
import type { Table } from './view'
import { cardName } from './words'

/** The table of LOBO 77 in words. */
export function aloud({ view, names, options }: Told<Table>): Said {
  const { total, traps, direction, top, draw_pile, next, owed, next_two, ...table } = view.table
  const trap = traps.find((one) => one > total)
  const facts = trap === undefined ? '' : t('lobo77.below', { n: trap - total, trap })
  const way = t(direction > 0 ? 'lobo77.clockwise' : 'lobo77.counter_clockwise')
  return {
    table: [
      t('lobo77.total', { n: total, facts: facts && `${facts}.`, way }),
      top === null ? t('lobo77.nothing_played') : t('lobo77.top', { card: cardName(top) }),
      owed === 2 && view.actor !== null ? t('lobo77.aloud_owes', { name: names[view.actor] ?? '' }) : '',
      next !== null && next_two ? t('lobo77.aloud_owes', { name: names[next] ?? '' }) : '',
      t('lobo77.draw_pile', { n: draw_pile }),
    ].filter(Boolean),
    seats: names.map((_, seat) => [
      table.out.includes(seat) ? t('lobo77.out') : '',
      table.swimming.includes(seat) ? t('lobo77.swims') : '',
      table.tokens[seat] ? t('lobo77.tokens', { n: table.tokens[seat] }) : '',
      options.draw === 'manual' ? t('lobo77.cards', { n: table.hand_sizes[seat] ?? 0 }) : '',
      table.sure_2x[seat] ? t('lobo77.known_2x', { n: table.sure_2x[seat] }) : '',
      seat === next ? t('lobo77.next') : '',
      seat === table.dealer ? t('lobo77.dealer') : '',
    ]),
    hand: table.hand?.map(cardName) ?? null,
  }
}
