/** The screen of a game that has none of its own: its view laid out by kind, its moves as buttons. */

import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import Screen from './Screen.svelte'

const screen: GameScreen = {
  Screen,
  Face,
  flights: () => [],
  aloud,
  cue: ({ type }) => (type === 'roll' ? 'dice' : null),
  hand: ({ hand }) => (Array.isArray(hand) ? hand : null),
}

export default screen
