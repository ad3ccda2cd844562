import { expect, test } from 'vitest'
import { lookedFor, isComplete, readGroup } from './groups'
import { addsOf, endOf, exactLays, laysOf, partLay, propose, runOrder, shapeOf } from './moves'
import type { Meld } from './types'

const legal = (...moves: string[]) => moves.map((move, id) => ({ id, move, label: move }))
const cards = (text: string) => text.split(' ')

test('the layings that are exactly the cards, in whatever order they lie', () => {
  const lays = laysOf(legal('stock', 'lay 5S 6S 7S *', 'lay * 5S 6S 7S', 'lay 8S 8H 8D', 'drop 5S'))
  expect(exactLays(cards('7S * 5S 6S'), lays).map(({ move }) => move)).toEqual(['lay 5S 6S 7S *', 'lay * 5S 6S 7S'])
  expect(exactLays(cards('8S 8H'), lays)).toEqual([])
})

test('a longer group is a laying and what is added to it', () => {
  const lays = laysOf(legal('lay 8S 8H *', 'lay 8S 8H 8D'))
  expect(partLay(cards('8S 8H 8D *'), lays)?.move).toBe('lay 8S 8H 8D')
  const given = { key: 1, ids: [1, 2, 3, 4], cards: cards('8S 8H 8D *'), way: 0 }
  expect(readGroup(given, lays, true, false)).toMatchObject({ shape: 'set', ways: 0, extra: ['*'] })
  expect(readGroup(given, lays, false, false).lay).toBeNull()
})

test('a group lies as it would be laid, and another way on request', () => {
  const lays = laysOf(legal('lay 5S 6S 7S *', 'lay * 5S 6S 7S'))
  const given = { key: 1, ids: [1, 2, 3, 4], cards: cards('7S * 5S 6S') }
  expect(readGroup({ ...given, way: 0 }, lays, false, false).ids).toEqual([3, 4, 1, 2])
  expect(readGroup({ ...given, way: 1 }, lays, false, false).ids).toEqual([2, 3, 4, 1])
})

test('moves that add a card name the combination and the end', () => {
  expect(addsOf(legal('add 9S m12', 'add * m2 low', 'drop 9S'))).toMatchObject([
    { card: '9S', meld: 12, end: '' },
    { card: '*', meld: 2, end: 'low' },
  ])
})

test('a proposal makes up the contract without using a card twice', () => {
  const lays = laysOf(legal('lay 8S 8H 8D', 'lay 8S 8H *', 'lay 5D 6D 7D 8D', 'lay 5D 6D 7D *'))
  const hand = cards('5D 6D 7D 8S 8H 8D *')
  const found = propose(hand, lays, { brelans: 1, quartes: 1 })
  expect(found.flatMap((lay) => lay.cards).sort()).toEqual([...hand].sort())
  expect(propose(hand, lays, { brelans: 2, quartes: 1 })).toEqual([])
})

test('what cards look like', () => {
  expect(shapeOf(cards('8S 8S *'), false)).toBe('set')
  expect(shapeOf(cards('8S * *'), false)).toBeNull()
  expect(shapeOf(cards('JH QH KH AH'), false)).toBe('run')
  expect(shapeOf(cards('QH KH AH 2H'), false)).toBeNull()
  expect(shapeOf(cards('4D 5S 6S 7H'), false)).toBeNull()
  expect(shapeOf(cards('4D 5S 6S 7H'), true)).toBe('run')
  expect(runOrder(cards('8H * 5H 7H'))).toEqual(['5H', '*', '7H', '8H'])
  expect(runOrder(cards('5H 5H 6H 7H'))).toBeNull()
})

test('a contract is complete with just what it needs', () => {
  const lays = laysOf(legal('lay 8S 8H 8D', 'lay 9S 9H 9D', 'lay 2S 2H 2D 2C 2S *'))
  const group = (text: string, key: number) =>
    readGroup({ key, ids: cards(text).map((_, i) => 10 * key + i), cards: cards(text), way: 0 }, lays, false, false)
  const two = [group('8S 8H 8D', 1), group('9S 9H 9D', 2)]
  expect(isComplete(two, { brelans: 2, quartes: 0 })).toBe(true)
  expect(isComplete(two.slice(1), { brelans: 2, quartes: 0 })).toBe(false)
  expect(isComplete([group('2S 2H 2D 2C 2S *', 3)], { brelans: 2, quartes: 0 })).toBe(true)
  expect(lookedFor(two)).toEqual({ brelans: 2, quartes: 0 })
})

test('the end at which an added card arrives', () => {
  const run = (text: string): Meld => ({ kind: 'run', cards: cards(text), joker: null })
  expect(endOf(run('5S 6S 7S 8S'), '9S', '')).toBe('high')
  expect(endOf(run('5S 6S 7S 8S'), '4S', '')).toBe('low')
  expect(endOf(run('5S 6S 7S *'), '9S', '')).toBe('high')
  expect(endOf(run('2S 3S 4S 5S'), 'AS', '')).toBe('low')
  expect(endOf(run('10S JS QS KS'), 'AS', '')).toBe('high')
  expect(endOf(run('JS QS KS AS'), '10S', '')).toBe('low')
  expect(endOf(run('JS QS KS AS'), '*', '')).toBe('low')
  expect(endOf(run('5S 6S 7S 8S'), '*', 'low')).toBe('low')
})
