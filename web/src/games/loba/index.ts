import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import Screen from './Screen.svelte'
import { flights } from './flights'
import type { Table } from './view'

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  aloud,
  hand: ({ hand }) => hand ?? [],
  moment: ({ type, text }) => (type === 'out' ? { tone: 'good', text: text ?? '' } : null),
}
export default screen
