import { t } from '~/lib/i18n.svelte'
import { colourOf, numberOf, type Colour } from './types'

export function colourName(colour: Colour): string {
  return t(`double_lucky_7.colour.${colour}`)
}

/** A card in words: "red fourteen", "the joker". */
export function cardName(card: string): string {
  const colour = colourOf(card)
  if (!colour) return t('double_lucky_7.joker')
  return t('double_lucky_7.card', { colour: colourName(colour), number: t(`double_lucky_7.number.${numberOf(card)}`) })
}
