import { t } from '~/lib/i18n.svelte'
import type { Said, Told } from '~/lib/play'
import { cardName, colourName } from './names'
import type { Table } from './view'

/** The table of Double Lucky 7 in words. */
export function aloud({ view, names }: Told<Table>): Said {
  const { table } = view
  const trick = table.trick.flatMap((card, seat) =>
    card ? [t('double_lucky_7.trick_card', { name: names[seat] ?? '', card: cardName(card) })] : [],
  )
  const leader = t('double_lucky_7.leads', { name: names[table.leader] ?? '' })
  return {
    table: [
      t('double_lucky_7.round', { round: table.round, rounds: table.rounds }),
      t('double_lucky_7.cards_each', { n: table.cards }),
      table.double_round ? t('double_lucky_7.double') : '',
      t('double_lucky_7.turned', { card: cardName(table.turned) }),
      table.trump ? t('double_lucky_7.aloud_trump', { colour: colourName(table.trump) }) : '',
      table.forbidden_bid === null ? '' : t('double_lucky_7.bid_barred', { bid: table.forbidden_bid, n: table.cards }),
      ...(table.phase === 'play' ? [leader, ...trick] : []),
    ].filter(Boolean),
    seats: names.map((_, seat) => {
      const [bid, tricks] = [table.bids[seat] ?? null, table.tricks[seat] ?? 0]
      return [
        t('parts.points', { n: view.scores[seat] ?? 0 }),
        bid === null
          ? t('double_lucky_7.no_bid')
          : t(tricks > bid ? 'double_lucky_7.tally_over' : 'double_lucky_7.tally', { tricks, bid }),
        seat === table.dealer ? t('double_lucky_7.dealer') : '',
      ]
    }),
    hand: table.hand?.map(cardName) ?? null,
  }
}
