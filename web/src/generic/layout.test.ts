import { expect, test } from 'vitest'
import type { View } from '~/lib/play'
import type { FieldInfo } from '~/lib/protocol'
import { fieldsOf, isEmpty, layOut, plain, rowsOf } from './layout'

function viewOf(table: Record<string, unknown>, scores = [3, 5]): View {
  return { ply: 1, round: 1, actor: 0, over: false, scores, places: [2, 1], rounds: [], table, legal: [] }
}

const FIELDS: FieldInfo[] = [
  { name: 'total', label: 'Total' },
  { name: 'dealer', label: 'Dealer', seat: true },
  { name: 'out', label: 'Out', seat: true },
  { name: 'tokens', label: 'Tokens', by_seat: true },
  { name: 'points', label: 'Points', by_seat: true },
  { name: 'hand', label: 'Your hand' },
]

test('numbers and words are facts, flags are flags, the rest are heaps', () => {
  const layout = layOut(FIELDS, viewOf({ total: 7, phase: 'bids', double: true, pile: ['a'], left: { a: 1 } }), 2)
  expect(layout.facts.map(({ info }) => info.label)).toEqual(['Total', 'Phase'])
  expect(layout.flags.map(({ info }) => info.name)).toEqual(['double'])
  expect(layout.heaps.map(({ info }) => info.name)).toEqual(['pile', 'left'])
})

test('what belongs to a seat stands there, and seats are marked', () => {
  const layout = layOut(FIELDS, viewOf({ dealer: 1, out: [0, 1], tokens: [4, null] }), 2)
  expect(layout.seats[0]).toMatchObject({ facts: [{ value: 4 }], marks: ['Out'] })
  expect(layout.seats[1]).toMatchObject({ facts: [], marks: ['Dealer', 'Out'] })
  expect([layout.facts, layout.heaps]).toEqual([[], []])
})

test('scores are not shown twice, and nothing is shown of nothing', () => {
  const layout = layOut(FIELDS, viewOf({ points: [3, 5], next: null, word: '' }), 2)
  expect(layout.seats.flatMap(({ facts }) => facts)).toEqual([])
  expect(layout.facts).toEqual([])
  expect(layOut(FIELDS, viewOf({ points: [1, 2] }), 2).seats[1]?.facts).toHaveLength(1)
})

test('the hand is apart', () => {
  expect(layOut(FIELDS, viewOf({ hand: ['R1', 'G2'] }), 2).hand).toMatchObject({ value: ['R1', 'G2'] })
  expect(layOut(FIELDS, viewOf({ hand: null }), 2).hand).toBeNull()
})

test('a field nobody has described has its name for a label', () => {
  expect(plain('next_two')).toEqual({ name: 'next_two', label: 'Next two' })
})

test('rows are objects and nothing else', () => {
  expect(rowsOf([{ a: 1 }, { a: 2 }])).toHaveLength(2)
  expect(rowsOf([{ a: 1 }, 2])).toBeNull()
  expect(rowsOf([[1]])).toBeNull()
  expect(rowsOf([])).toBeNull()
  expect([null, '', [], 0, false].map(isEmpty)).toEqual([true, true, true, false, false])
})

test('an object has its declared fields first, keys in words after them', () => {
  const info = { name: 'left', label: 'Left', words: { stop: 'a stop' }, fields: [{ name: 'kind', label: 'Kind' }] }
  expect(fieldsOf(info, { stop: 3, kind: 'x' }).map(({ label }) => label)).toEqual(['Kind', 'a stop'])
})
