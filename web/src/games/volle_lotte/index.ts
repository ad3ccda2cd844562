import type { GameScreen } from '~/lib/play'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

const screen: GameScreen<Table> = { Screen, Face, flights }

export default screen
