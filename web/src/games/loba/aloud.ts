import { list } from '~/lib/aloud'
import { t } from '~/lib/i18n.svelte'
import type { Said, Told } from '~/lib/play'
import { cardName, meldName } from './names'
import type { Table } from './view'

/** The table of Loba in words. */
export function aloud({ view, names }: Told<Table>): Said {
  const { table } = view
  return {
    table: [
      t('loba.round', { round: table.round, rounds: table.rounds }),
      t('loba.aloud_contract', { contract: t(`loba.contract.${table.round}`) }),
      t('loba.stock', { n: table.stock }),
      table.pile[0] ? t('loba.pile', { card: cardName(table.pile[0]) }) : t('loba.pile_empty'),
      ...table.melds.map((meld, i) => meldName(meld, i + 1)),
      table.melds.length ? '' : t('loba.no_combination'),
    ].filter(Boolean),
    seats: names.map((_, seat) => [
      t('loba.cards', { n: table.hand_sizes[seat] ?? 0 }),
      t('parts.points', { n: view.scores[seat] ?? 0 }),
      table.down[seat] ? t('loba.down') : '',
      table.known[seat]?.length ? `${t('loba.known')} ${list(table.known[seat].map(cardName))}` : '',
      seat === table.dealer ? t('loba.dealer') : '',
    ]),
    hand: table.hand?.map(cardName) ?? null,
  }
}
