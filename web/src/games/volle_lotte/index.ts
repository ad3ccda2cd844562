import type { GameScreen } from '~/lib/play'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

/** What ends a turn without points. */
const LOSSES = new Set(['stop_card', 'bust', 'no_new_face', 'lost'])

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  moment: ({ type, text }) => (LOSSES.has(type) ? { tone: 'bad', text: text ?? '' } : null),
}

export default screen
