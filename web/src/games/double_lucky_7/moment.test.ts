import { expect, test, vi } from 'vitest'
import type { GameEvent, Moment } from '~/lib/play'

vi.mock('~/lib/i18n.svelte', () => ({
  t: (key: string, params: Record<string, unknown>) => `${key} ${String(params.name)}`,
  lang: () => 'en',
}))

const { moment } = await import('./moment')
const NAMES = ['Ann', 'Ben', 'Cleo']
const told = (event: GameEvent): Moment | null => moment(event, NAMES)

test('the trick that is one too many misses a bid', () => {
  expect(told({ type: 'trick', seat: 1, tricks: 3, bid: 2 })?.text).toBe('double_lucky_7.one_too_many Ben')
  expect(told({ type: 'trick', seat: 1, tricks: 2, bid: 2 })).toBeNull()
  expect(told({ type: 'trick', seat: 1, tricks: 4, bid: 2 })).toBeNull()
})

test('tricks that are missing miss a bid at the end of the round', () => {
  const end = { type: 'round_end', bids: [2, 1, 3], tricks: [0, 1, 2] }
  expect(told(end)).toEqual({ tone: 'bad', text: 'double_lucky_7.too_few Ann and Cleo' })
  expect(told({ ...end, tricks: [2, 1, 3] })).toBeNull()
})
