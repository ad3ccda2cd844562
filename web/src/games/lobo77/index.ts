import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

/** Events in which a token goes. */
const TOKENS = new Set(['token', 'last_token', 'sunk', 'swims'])
const LOSSES = new Set(['token', 'last_token', 'sunk', 'out'])

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  aloud,
  cue: ({ type }) => (TOKENS.has(type) ? 'token' : null),
  hand: ({ hand }) => (hand ?? []).map((card) => ({ card })),
  moment: ({ type, text }) => (LOSSES.has(type) ? { tone: 'bad', text: text ?? '' } : null),
}
export default screen
