import { expect, test } from 'vitest'
import { filterMoves, groupMoves } from './moves'

const move = (text: string, label: string, id = 0) => ({ id, move: text, label })
const MOVES = [
  move('bid 0', 'Bid 0 tricks'),
  move('bid 1', 'Bid 1 trick'),
  move('draw', 'Draw a card'),
  move('R7', 'Play red 7'),
  move('drop 5S', 'Défausser 5♠'),
]

test('moves of a kind stand together, under what their labels share', () => {
  expect(groupMoves(MOVES).map(({ title, moves }) => [title, moves.length])).toEqual([
    ['Bid', 2],
    ['', 2],
    ['Défausser', 1],
  ])
})

test('labels that share nothing are named by the notation', () => {
  expect(groupMoves([move('add a', 'One'), move('add b', 'Two')])[0]?.title).toBe('Add')
})

test('all words that are typed must be there, without case and accents', () => {
  expect(filterMoves(MOVES, 'bid 1').map((one) => one.move)).toEqual(['bid 1'])
  expect(filterMoves(MOVES, 'DEFAUSSER').map((one) => one.move)).toEqual(['drop 5S'])
  expect(filterMoves(MOVES, ' ')).toHaveLength(MOVES.length)
  expect(filterMoves(MOVES, 'nothing')).toEqual([])
})
