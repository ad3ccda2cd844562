/** The name of a card for those who listen. */

import { t } from '~/lib/i18n.svelte'

export function cardName(card: string): string {
  if (card === 'rev') return t('lobo77.card_rev')
  if (card === '2x') return t('lobo77.card_2x')
  return card.replace('-', '−')
}
