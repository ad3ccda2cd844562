import type { GameScreen } from '~/lib/play'
import Face from './Face.svelte'
import Screen from './Screen.svelte'
import { flights } from './flights'
import { moment } from './moment'
import type { Table } from './view'

const screen: GameScreen<Table> = { Screen, Face, flights, moment, hand: ({ hand }) => hand ?? [] }
export default screen
