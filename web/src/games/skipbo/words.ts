/** Cards for those who listen, and the group a card's colour tells. */

import { t } from '~/lib/i18n.svelte'

export function cardName(card: string): string {
  return card === '*' ? t('skipbo.wild') : card
}

export function cardNames(cards: string[]): string {
  return cards.map(cardName).join(', ')
}

export function group(card: string): 'low' | 'mid' | 'high' | 'wild' {
  if (card === '*') return 'wild'
  return Number(card) <= 4 ? 'low' : Number(card) <= 8 ? 'mid' : 'high'
}
