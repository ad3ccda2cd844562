import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  aloud,
  hand: ({ hand }) => (hand ?? []).map((card) => ({ card })),
  moment: ({ type, text }) =>
    type === 'stock_gone' ? { tone: 'good', text: text ?? '' } : type === 'called' ? { tone: 'bad', text: text ?? '' } : null,
}
export default screen
