import { expect, test } from 'vitest'
import { worthTelling } from './advice'

const thought = (move: string, win: number, share: number) => ({ move, label: move, win, points: 0, share })
const shown = (...moves: ReturnType<typeof thought>[]) => worthTelling(moves).map(({ move }) => move)

test('the best chance comes first', () => {
  expect(shown(thought('a', 0.5, 0.4), thought('b', 0.3, 0.2), thought('c', 0.4, 0.2))).toEqual(['a', 'c', 'b'])
  expect(shown(thought('a', 0.5, 0.4), thought('b', 0.55, 0.3))).toEqual(['b', 'a'])
})

test('what was hardly thought about is left out, and does not outdo the choice', () => {
  expect(shown(thought('a', 0.5, 0.8), thought('b', 0.9, 0.1), thought('c', 0.4, 0.1))).toEqual(['a', 'c'])
  expect(shown(thought('a', 0.5, 0.97), thought('b', 0.4, 0.03))).toEqual(['a'])
})

test('at most three, and equals as the expert has them', () => {
  const all = ['a', 'b', 'c', 'd'].map((move) => thought(move, 0.5, 0.25))
  expect(shown(...all)).toEqual(['a', 'b', 'c'])
  expect(shown()).toEqual([])
})
