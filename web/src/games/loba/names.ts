import { t } from '~/lib/i18n.svelte'
import { JOKER, RANKS, rankOf, suitOf, type Meld, type Suit } from './types'

export const SIGNS: Record<Suit, string> = { S: '♠', H: '♥', D: '♦', C: '♣' }

/** A rank as it is printed on the card: a letter of the language, or the number. */
export function rankSign(rank: string): string {
  return RANKS.indexOf(rank) > 0 && RANKS.indexOf(rank) < 10 ? rank : t(`loba.sign.${rank}`)
}

/** A card in short: "K♥". */
export function cardSign(card: string): string {
  const suit = suitOf(card)
  if (card === JOKER) return t('loba.sign.joker')
  return rankSign(rankOf(card)) + (suit ? SIGNS[suit] : '')
}

/** A card in words: "king of hearts". */
export function cardName(card: string): string {
  const suit = suitOf(card)
  if (card === JOKER) return t('loba.joker')
  const rank = t(`loba.rank.${rankOf(card)}`)
  return suit ? t('loba.card', { rank, suit: t(`loba.suit.${suit}`) }) : rank
}

/** A combination on the table, by its number, and what its joker stands for. */
export function meldName(meld: Meld, number: number): string {
  const joker = meld.joker ? t('loba.combination_joker', { card: cardName(meld.joker) }) : ''
  return t('loba.combination', { number, cards: meld.cards.map(cardName).join(', ') }) + joker
}
