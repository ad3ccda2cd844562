import { list } from '~/lib/aloud'
import { t } from '~/lib/i18n.svelte'
import type { Said, Told } from '~/lib/play'
import type { Table } from './view'
import { cardName } from './words'

/** The table of Skip-Bo in words. */
export function aloud({ view, names }: Told<Table>): Said {
  const { table } = view
  return {
    table: [
      ...table.built.map((cards, k) => {
        const place = k + 1
        if (!cards.length) return t('skipbo.built_empty', { place })
        const card = cardName(cards.at(-1)!)
        return t('skipbo.built', { place, card, height: table.heights[k], next: table.next[k] })
      }),
      t('skipbo.draw_pile', { n: table.draw }),
    ],
    seats: names.map((_, seat) => {
      const stock = table.stocks[seat]
      const tops = (table.discards[seat] ?? []).map((pile) => (pile[0] ? cardName(pile[0]) : t('skipbo.aloud_free')))
      return [
        stock?.top ? t('skipbo.stock', { card: cardName(stock.top), n: stock.left }) : t('skipbo.stock_empty'),
        t('skipbo.aloud_discards', { cards: list(tops) }),
        t('skipbo.in_hand', { n: table.hand_sizes[seat] ?? 0 }),
        table.target === null ? '' : t('skipbo.points_of', { n: table.points[seat] ?? 0, target: table.target }),
      ]
    }),
    hand: table.hand?.map(cardName) ?? null,
  }
}
