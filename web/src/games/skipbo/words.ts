/** Cards for those who listen. */

import { t } from '~/lib/i18n.svelte'

export function cardName(card: string): string {
  return card === '*' ? t('skipbo.wild') : card
}

export function cardNames(cards: string[]): string {
  return cards.map(cardName).join(', ')
}
