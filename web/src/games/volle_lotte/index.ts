import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

const ROLLS = new Set(['roll', 'straight_roll'])

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  aloud,
  cue: ({ type }) => (ROLLS.has(type) ? 'dice' : type === 'score' ? 'token' : null),
}

export default screen
