import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import Screen from './Screen.svelte'
import { flights } from './flights'
import { moment } from './moment'
import type { Table } from './view'

const screen: GameScreen<Table> = { Screen, Face, flights, aloud, moment, hand: ({ hand }) => hand ?? [] }
export default screen
