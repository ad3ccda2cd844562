import { expect, test } from 'vitest'
import type { GameEvent, View } from '~/lib/play'
import { flights } from './flights'
import { deepest, gestures, tried } from './moves'
import type { Table } from './view'

const table = {
  hand: ['2', '7', '7', '*'],
  stocks: [{}, {}, {}, {}],
  partners: [2, 3, 0, 1],
  open_play: { seat: 2, move: 'd3>4', card: '5' },
} as unknown as Table
const before = { table } as View<Table>

test('a move is a gesture from spot to spot', () => {
  expect(gestures('S>1', 0, table)).toEqual([{ move: 'S>1', from: 'stock:0', to: 'built:1' }])
  expect(gestures('d3>4', 1, table)).toEqual([{ move: 'd3>4', from: 'discard:1:3', to: 'built:4' }])
  expect(gestures('2>d2', 0, table)).toEqual([{ move: '2>d2', from: 'hand:0', to: 'discard:0:2' }])
})

test('equal cards of the hand are equally good', () => {
  expect(gestures('7>2', 0, table).map((option) => option.from)).toEqual(['hand:1', 'hand:2'])
})

test("a partner's piles are at the partner's seat", () => {
  expect(gestures('pS>1', 0, table)[0]?.from).toBe('stock:2')
  expect(gestures('pd2>1', 1, table)[0]?.from).toBe('discard:3:2')
})

test('words are no gestures, but drawing is', () => {
  expect(['end', 'say', 'call'].flatMap((word) => gestures(word, 0, table))).toEqual([])
  expect(gestures('draw', 0, table)).toEqual([{ move: 'draw', from: 'draw', to: 'hand' }])
})

test('what was tried is asked about in notation', () => {
  expect(tried('hand:3', 'built:2', 0, table)).toBe('*>2')
  expect(tried('stock:0', 'discard:0:1', 0, table)).toBe('S>d1')
  expect(tried('discard:2:4', 'built:1', 0, table)).toBe('pd4>1')
  expect(tried('stock:1', 'built:1', 0, table)).toBeNull()
  expect(tried('hand:0', 'discard:1:1', 0, table)).toBeNull()
})

test('piles show no more strips than there is room for', () => {
  expect(deepest([['1'], []], 5)).toBe(1)
  expect(deepest([['1', '2', '3', '4'], ['1']], 5)).toBe(3)
  expect(deepest([['1', '2', '3', '4']], 2)).toBe(2)
})

test('cards fly from where they lay to where they go', () => {
  const fly = (event: GameEvent) => flights(event, before, 0).map(({ from, to }) => `${from} > ${to}`)
  expect(fly({ type: 'play', seat: 0, source: 'hand', card: '7', place: 3, height: 7 })).toEqual(['hand:1 > built:3'])
  expect(fly({ type: 'play', seat: 1, source: 'hand', card: '7', place: 3, height: 7 })).toEqual(['seat:1 > built:3'])
  const early = { type: 'play_early', seat: 1, source: 'pd2', card: '7', place: 3, height: 7 }
  expect(fly(early)).toEqual(['discard:3:2 > built:3'])
  expect(fly({ type: 'discard_early', seat: 2, card: '5', pile: 3 })).toEqual(['seat:2 > discard:2:3'])
  expect(fly({ type: 'called', seat: 1, other: 2, card: '5' })).toEqual(['built:4 > discard:2:3'])
  expect(fly({ type: 'draw', seat: 0, n: 2, cards: ['1', '2'] })).toEqual(['draw > hand', 'draw > hand'])
  expect(fly({ type: 'spoke', seat: 2, n: 2 })).toEqual(['draw > stock:2', 'draw > stock:2'])
  expect(fly({ type: 'turn_up', seat: 2, card: '5', n: 3 })).toEqual([])
})

test('what others draw stays hidden', () => {
  expect(flights({ type: 'draw', seat: 1, n: 1, cards: null }, before, 0)[0]?.face).toBeUndefined()
})
