/** The table in words, for those who ask for it: whose turn it is, what lies where, who has what, what one holds. */

import { t } from '~/lib/i18n.svelte'
import type { GameScreen, Told } from '~/lib/play'
import type { GameInfo } from '~/lib/protocol'

type Screen = Pick<GameScreen, 'aloud'>

/** Everything one could see, as a few sentences. */
export async function readTable(screen: Screen, play: Told, game: GameInfo): Promise<string> {
  const said = await screen.aloud(play, game)
  const seats = said.seats.map((facts, seat) => t('table.aloud_seat', { name: nameOf(play, seat), facts: list(facts) }))
  return [turnOf(play), ...said.table.map(sentence), ...seats, handOf(said.hand)].filter(Boolean).join(' ')
}

/** What one holds, as it is said after a deal; nothing where nobody holds anything. */
export async function readHand(screen: Screen, play: Told, game: GameInfo): Promise<string> {
  const { hand } = await screen.aloud(play, game)
  return hand?.length ? handOf(hand) : ''
}

function turnOf({ view, seat, names }: Told): string {
  if (view.over) return sentence(t('table.is_over'))
  if (view.actor === null) return ''
  return sentence(view.actor === seat ? t('table.your_turn') : t('table.turn_of', { name: names[view.actor] ?? '' }))
}

function nameOf({ seat, names }: Told, one: number): string {
  return one === seat ? t('table.aloud_you') : (names[one] ?? '')
}

function handOf(hand: string[] | null): string {
  if (!hand) return ''
  return hand.length ? t('table.aloud_hand', { cards: list(hand) }) : t('table.aloud_hand_empty')
}

/** Words one after the other. */
export function list(words: string[]): string {
  return words.filter(Boolean).join(', ')
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
