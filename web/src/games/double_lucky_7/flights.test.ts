import { expect, test } from 'vitest'
import type { View } from '~/lib/play'
import { flights } from './flights'
import type { Table } from './view'

const before = (...trick: (string | null)[]) => ({ table: { trick } }) as unknown as View<Table>
const path = (event: Parameters<typeof flights>[0], view: View<Table>, reader: number | null = 0) =>
  flights(event, view, reader).map(({ from, to, face }) => `${from} > ${to}${face ? ` ${String(face)}` : ''}`)

test('a card is played from the hand, or from the seat of somebody else', () => {
  const view = before(null, null, null)
  expect(path({ type: 'play', seat: 0, card: 'R14' }, view)).toEqual(['hand:R14 > trick:0 R14'])
  expect(path({ type: 'play', seat: 1, card: 'joker' }, view)).toEqual(['seat:1 > trick:1 joker'])
  expect(path({ type: 'play', seat: 0, card: 'R14' }, view, null)).toEqual(['seat:0 > trick:0 R14'])
})

test('a full trick rests, then goes to its winner with the card that completed it', () => {
  const view = before('R3', null, 'G2')
  const last = flights({ type: 'play', seat: 1, card: 'B5' }, view, 0)
  expect(last).toHaveLength(2)
  expect(last[1]).toMatchObject({ from: 'rest', to: 'rest', face: null })
  expect(path({ type: 'trick', seat: 2, tricks: 1, bid: 1 }, view)).toEqual([
    'trick:0 > tricks:2 R3',
    'trick:1 > tricks:2 B5',
    'trick:2 > tricks:2 G2',
  ])
})

test('a deal begins left of the dealer, shows the own cards, and ends with the turned one', () => {
  const event = { type: 'deal', seat: 2, round: 2, n: 2, card: 'Y9', dealt: ['R1', 'B4'] }
  expect(path(event, before(null, null, null))).toEqual([
    'deck > hand R1',
    'deck > seat:1',
    'deck > seat:2',
    'deck > hand B4',
    'deck > seat:1',
    'deck > seat:2',
    'deck > turned Y9',
  ])
})

test('the draw for the deal is shown, what is only said does not fly', () => {
  const view = before(null, null)
  expect(path({ type: 'first_dealer', seat: 1, drawn: ['R1', 'B4'] }, view)).toEqual([
    'deck > trick:0 R1',
    'deck > trick:1 B4',
  ])
  for (const type of ['trump', 'bid', 'round_end', 'forfeit', 'match_end']) {
    expect(path({ type, seat: 0 }, view)).toEqual([])
  }
})
