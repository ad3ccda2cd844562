import { beforeEach, expect, test, vi } from 'vitest'
import type { GameScreen, View } from '~/lib/play'
import type { TableInfo } from '~/lib/protocol'
import { Replaying } from './replaying.svelte'

const TOTAL = 60
const asked: string[] = []
const flown: number[] = []
let delay = 0

vi.mock('~/lib/api', () => ({
  replayOf: async () => ({
    match: 1,
    moves: Array.from({ length: TOTAL }, (_, i) => `0: m${i}`),
    seen: Array.from({ length: TOTAL + 1 }, (_, i) => [{ type: 'play', seat: 0, text: `sentence ${i}` }]),
  }),
  momentsOf: async (_table: string, first: number, count: number, _match: number, seat?: number) => {
    asked.push(`${seat}:${first}`)
    await new Promise((done) => setTimeout(done, delay))
    const length = Math.min(count, TOTAL + 1 - first)
    const views = Array.from({ length }, (_, i) => ({ ply: first + i, table: { seat } }))
    return { match: 1, total: TOTAL, first, views }
  },
}))
vi.mock('~/lib/prefs.svelte', () => ({ pace: () => 1 }))
vi.mock('~/lib/stage.svelte', () => ({
  fly: async (flights: unknown[]) => void flown.push(flights.length),
}))

const flights = (_event: unknown, before: View) => [{ from: `${before.ply}`, to: 'x' }]
const screen = { flights } as unknown as GameScreen
const table = { id: 't', match: 1, status: 'over', seats: [{ name: 'Ann' }, { name: 'Bob' }], options: {} }
let replaying: Replaying

beforeEach(async () => {
  asked.length = flown.length = 0
  delay = 0
  vi.stubGlobal('document', { hidden: false })
  replaying = new Replaying(table as unknown as TableInfo, screen, 1)
  await replaying.open(0, 12)
})

test('it opens at a moment, with the sentences of all', () => {
  expect(replaying.view.ply).toBe(12)
  expect(replaying.total).toBe(TOTAL)
  expect(replaying.lines.length).toBe(TOTAL + 1)
  expect(replaying.recent.at(-1)?.text).toBe('sentence 12')
  expect(replaying.isOpen).toBe(true)
})

test('moments are fetched in batches, forwards and backwards, and once', async () => {
  for (let i = 0; i < 10; i += 1) await replaying.next(1)
  await replaying.goTo(11)
  for (let ply = 10; ply >= 0; ply -= 1) await replaying.goTo(ply)
  expect(asked).toEqual(['0:12', '0:0'])
  expect(flown.length).toBe(10)
})

test('it stays between the deal and the last move', async () => {
  await replaying.goTo(999)
  expect(replaying.view.ply).toBe(TOTAL)
  await replaying.next(1)
  expect(replaying.ply).toBe(TOTAL)
  await replaying.goTo(-5)
  expect(replaying.view.ply).toBe(0)
})

test('the last wish counts when the slider is dragged quickly', async () => {
  delay = 20
  const first = replaying.goTo(50)
  delay = 0
  await replaying.goTo(13)
  await first
  expect(replaying.view.ply).toBe(13)
})

test('another seat has views of its own', async () => {
  await replaying.open(1, 12)
  expect(replaying.view.table).toEqual({ seat: 1 })
  expect(replaying.seat).toBe(1)
})
