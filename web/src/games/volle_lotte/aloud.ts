import { list } from '~/lib/aloud'
import { number, t } from '~/lib/i18n.svelte'
import type { Said, Told } from '~/lib/play'
import type { Table } from './view'
import { cardDoes, cardName } from './words'

/** The table of Volle Lotte! in words. */
export function aloud({ view, names, options }: Told<Table>): Said {
  const { table } = view
  const isOn = table.phase === 'rolled' || table.phase === 'lotte'
  const worth = table.turn_points + table.card_points
  return {
    table: [
      table.card && isOn
        ? t('volle_lotte.aloud_card', { card: cardName(table.card), does: cardDoes(table.card, options) })
        : t('volle_lotte.no_card'),
      isOn && table.roll.length ? t('volle_lotte.aloud_rolled', { dice: list(table.roll.map(String)) }) : '',
      isOn && table.aside.length ? t('volle_lotte.aloud_aside', { dice: list(table.aside.map(String)) }) : '',
      isOn && worth ? t('volle_lotte.turn_worth', { points: worth }) : '',
      table.stop_points === null ? '' : t('volle_lotte.stop_score', { points: table.stop_points }),
      table.closing ? t('volle_lotte.last_turn') : '',
      t('volle_lotte.pile', { n: table.pile }),
      t('volle_lotte.target', { target: number(table.target) }),
    ].filter(Boolean),
    seats: names.map((_, seat) => [t('parts.points', { n: table.scores[seat] ?? 0 })]),
    hand: null,
  }
}
