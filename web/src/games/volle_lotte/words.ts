import { lang, t } from '~/lib/i18n.svelte'
import type { Chance } from './types'

/** A card's kind without its number, and the number: `bonus 300` is `bonus` and 300. */
export function split(card: string): { kind: string; points: string } {
  const [kind = '', points = ''] = card.split(' ')
  return { kind, points }
}

export function cardName(card: string): string {
  const { kind, points } = split(card)
  return t(`volle_lotte.card_${kind}`, { points })
}

/** What a card does under the table's options, in one short sentence. */
export function cardDoes(card: string, options: Record<string, unknown>): string {
  const { kind, points } = split(card)
  if (kind === 'fireworks' && options.fireworks_stop) return t('volle_lotte.does_fireworks_stop')
  return t(`volle_lotte.does_${kind}`, { points })
}

export function percent([ways, of]: Chance): string {
  return new Intl.NumberFormat(lang(), { style: 'percent', maximumFractionDigits: 0 }).format(ways / of)
}

/** How bold a chance is, for its colour; the number is always written beside it. */
export function tone([ways, of]: Chance): 'low' | 'middle' | 'high' {
  const share = ways / of
  return share < 0.2 ? 'low' : share < 0.45 ? 'middle' : 'high'
}

export function listed(names: string[]): string {
  return new Intl.ListFormat(lang(), { type: 'conjunction' }).format(names)
}
