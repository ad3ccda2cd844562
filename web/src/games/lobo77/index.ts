import type { GameScreen } from '~/lib/play'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

const LOSSES = new Set(['token', 'last_token', 'sunk', 'out'])

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  hand: ({ hand }) => (hand ?? []).map((card) => ({ card })),
  moment: ({ type, text }) => (LOSSES.has(type) ? { tone: 'bad', text: text ?? '' } : null),
}
export default screen
