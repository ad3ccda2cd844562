import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

const ROLLS = new Set(['roll', 'straight_roll'])
/** What ends a turn without points. */
const LOSSES = new Set(['stop_card', 'bust', 'no_new_face', 'lost'])

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  aloud,
  cue: ({ type }) => (ROLLS.has(type) ? 'dice' : type === 'score' ? 'token' : null),
  moment: ({ type, text }) => (LOSSES.has(type) ? { tone: 'bad', text: text ?? '' } : null),
}

export default screen
