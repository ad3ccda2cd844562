import type { Table } from './view'

export type Keep = Table['keeps'][number]
/** In how many of how many ways. */
export type Chance = Table['stop_chance']

/** What flies: a card, a die, points on their way to the track; or nothing, to let something be seen. */
export type Thing = { card: string } | { die: number } | { points: number } | { pause: true }
