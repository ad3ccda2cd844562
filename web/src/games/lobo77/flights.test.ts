import { expect, test } from 'vitest'
import type { GameEvent, View } from '~/lib/play'
import { flights } from './flights'
import type { Table } from './view'

const before = { table: { hand: ['3', '8', '8'], tokens: [3, 3, 0], out: [2] } } as unknown as View<Table>
const fly = (event: GameEvent) => flights(event, before, 1).map(({ from, to }) => `${from} > ${to}`)

test("one's own card flies out of the hand, and the drawn one into it", () => {
  expect(fly({ type: 'play', seat: 1, card: '8', total: 20, drew: '5' })).toEqual(['hand:1 > played', 'draw > hand'])
  expect(fly({ type: 'play', seat: 0, card: '8', total: 20, drew: null })).toEqual(['seat:0 > played'])
})

test('what others draw stays hidden', () => {
  expect(flights({ type: 'draw', seat: 0, card: null }, before, 1)).toEqual([{ from: 'draw', to: 'seat:0' }])
})

test('nobody deals to those who are out', () => {
  const dealt = fly({ type: 'deal', seat: 0, round: 2, other: 1 })
  expect(dealt).toHaveLength(10)
  expect(dealt.slice(0, 2)).toEqual(['draw > hand', 'draw > seat:0'])
})

test('a reshuffle carries played cards to the draw pile, whether or not the last one stays', () => {
  for (const type of ['reshuffle', 'reshuffle_under']) {
    expect(fly({ type, seat: 0, n: 15 })).toEqual(Array(5).fill('played > draw'))
  }
})

test('tokens go to the middle', () => {
  expect(fly({ type: 'token', seat: 0, total: 44, n: 2 })).toEqual(['tokens:0 > total'])
  expect(fly({ type: 'swims', seat: 0 })).toEqual(['total > tokens:0'])
})
