import { expect, test } from 'vitest'
import type { View } from '~/lib/play'
import { flights } from './flights'
import type { Table } from './view'

const melds = [{ kind: 'run', cards: ['5S', '6S', '7S', '*'], joker: '8S', low: ['4S'] }]
const before = { table: { melds, hand_sizes: [11, 11, 11] } } as unknown as View<Table>
const path = (event: Parameters<typeof flights>[0], reader: number | null = 0) =>
  flights(event, before, reader).map(({ from, to, face }) => `${from} > ${to}${face ? ` ${String(face)}` : ''}`)

test('a card that is drawn shows its face only to its owner', () => {
  expect(path({ type: 'draw', seat: 0, card: '5H' })).toEqual(['stock > hand 5H'])
  expect(path({ type: 'draw', seat: 1, card: null })).toEqual(['stock > seat:1'])
  expect(path({ type: 'take', seat: 2, card: 'KD' })).toEqual(['pile > seat:2 KD'])
})

test('a laying starts from both of two equal cards', () => {
  const cards = ['8S', '8S', '8H']
  expect(path({ type: 'lay', seat: 0, cards, meld: 2 })).toEqual([
    'hand:8S > meld:2:0 8S',
    'hand:8S:2 > meld:2:1 8S',
    'hand:8H > meld:2:2 8H',
  ])
})

test('an added card goes to its end, and pushes a joker outwards', () => {
  expect(path({ type: 'add', seat: 1, card: '4S', meld: 1, end: '' })).toEqual(['seat:1 > meld:1:low 4S'])
  expect(path({ type: 'shift', seat: 1, card: '8S', meld: 1, end: '' })).toEqual([
    'seat:1 > meld:1:3 8S',
    'meld:1:3 > meld:1:high *',
  ])
})

test('discards, the last one too, go to the pile', () => {
  expect(path({ type: 'drop', seat: 0, card: '5H', n: 3 })).toEqual(['hand:5H > pile 5H'])
  expect(path({ type: 'last_drop', seat: 1, card: '5H', n: 0 })).toEqual(['seat:1 > pile 5H'])
})

test('a deal begins left of the dealer and ends with the turned card', () => {
  const all = path({ type: 'deal', seat: 0, round: 1, card: 'QS', dealt: ['AS', '2S', '3S', '4S'] })
  expect(all[0]).toBe('stock > seat:1')
  expect(all[2]).toBe('stock > hand AS')
  expect(all.at(-1)).toBe('stock > pile QS')
})

test('what is only said does not fly', () => {
  for (const type of ['first_dealer', 'down', 'out', 'turns_over', 'round_end', 'match_end']) {
    expect(path({ type, seat: 0 })).toEqual([])
  }
  expect(path({ type: 'reshuffle', n: 30 }).every((one) => one === 'pile > stock')).toBe(true)
})
