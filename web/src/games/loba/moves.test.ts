import { expect, test } from 'vitest'
import { lookedFor, isComplete, readGroup } from './groups'
import { addsOf, endOf, exactLays, laysOf, partLay, propose, shapeOf } from './moves'
import type { Combination, Meld } from './types'

const legal = (...moves: string[]) => moves.map((move, id) => ({ id, move, label: move }))
const cards = (text: string) => text.split(' ')
const set = (text: string, worth = 1): Combination => ({ kind: 'set', worth, cards: cards(text) })
const run = (text: string): Combination => ({ kind: 'run', worth: 1, cards: cards(text) })
const laid = (one: Combination) => `lay ${one.cards.join(' ')}`
/** All of these may be laid. */
const offer = (...combinations: Combination[]) => laysOf(legal(...combinations.map(laid)), combinations)

test('only what is offered may be laid', () => {
  const hand = [run('5S 6S 7S *'), set('8S 8H 8D')]
  expect(laysOf(legal('stock', 'lay 8S 8H 8D', 'drop 5S'), hand)).toEqual([{ ...hand[1], move: 'lay 8S 8H 8D' }])
})

test('the layings that are exactly the cards, in whatever order they lie', () => {
  const lays = offer(run('5S 6S 7S *'), run('* 5S 6S 7S'), set('8S 8H 8D'))
  expect(exactLays(cards('7S * 5S 6S'), lays).map(({ move }) => move)).toEqual(['lay 5S 6S 7S *', 'lay * 5S 6S 7S'])
  expect(exactLays(cards('8S 8H'), lays)).toEqual([])
})

test('a longer group is a laying and what is added to it', () => {
  const combinations = [set('8S 8H *'), set('8S 8H 8D')]
  const lays = offer(...combinations)
  expect(partLay(cards('8S 8H 8D *'), lays)?.move).toBe('lay 8S 8H 8D')
  const given = { key: 1, ids: [1, 2, 3, 4], cards: cards('8S 8H 8D *'), way: 0 }
  const told = { combinations, lays, canAdd: true }
  expect(readGroup(given, told)).toMatchObject({ shape: { kind: 'set' }, ways: 0, extra: ['*'] })
  expect(readGroup(given, { ...told, canAdd: false }).lay).toBeNull()
  const stray = { ...given, cards: cards('8S 8H 8D 2C') }
  expect(readGroup(stray, told)).toMatchObject({ shape: null, lay: null, extra: [] })
})

test('a group lies as it would be laid, and another way on request', () => {
  const combinations = [run('5S 6S 7S *'), run('* 5S 6S 7S')]
  const told = { combinations, lays: offer(...combinations), canAdd: false }
  const given = { key: 1, ids: [1, 2, 3, 4], cards: cards('7S * 5S 6S') }
  expect(readGroup({ ...given, way: 0 }, told).ids).toEqual([3, 4, 1, 2])
  expect(readGroup({ ...given, way: 1 }, told).ids).toEqual([2, 3, 4, 1])
  expect(readGroup({ ...given, way: 0 }, { ...told, lays: [] }).ids).toEqual([3, 4, 1, 2])
})

test('moves that add a card name the combination and the end', () => {
  expect(addsOf(legal('add 9S m12', 'add * m2 low', 'drop 9S'))).toMatchObject([
    { card: '9S', meld: 12, end: '' },
    { card: '*', meld: 2, end: 'low' },
  ])
})

test('a proposal makes up the contract without using a card twice', () => {
  const lays = offer(set('8S 8H 8D'), set('8S 8H *'), run('5D 6D 7D 8D'), run('5D 6D 7D *'))
  const hand = cards('5D 6D 7D 8S 8H 8D *')
  const found = propose(hand, lays, { brelans: 1, quartes: 1 })
  expect(found.flatMap((lay) => lay.cards).sort()).toEqual([...hand].sort())
  expect(propose(hand, lays, { brelans: 2, quartes: 1 })).toEqual([])
})

test('what cards look like', () => {
  const hand = [set('8S 8H 8D'), set('8S 8H 8C'), set('8S 8H *'), run('5H 6H 7H 8H'), run('6H 7H 8H 9H')]
  expect(shapeOf(cards('* 8S 8H'), hand)?.kind).toBe('set')
  expect(shapeOf(cards('8S 8H 8D 8C'), hand)?.kind).toBe('set')
  expect(shapeOf(cards('5H 6H 7H 8H 9H'), hand)?.kind).toBe('run')
  expect(shapeOf(cards('5H 5H 6H 7H 8H'), hand)).toBeNull()
  expect(shapeOf(cards('8S 8H * *'), hand)).toBeNull()
  expect(shapeOf(cards('8S 8H'), hand)).toBeNull()
  expect(shapeOf(cards('8S 8H 8D 2C'), hand)).toBeNull()
})

test('a contract is complete with just what it needs', () => {
  const combinations = [set('8S 8H 8D'), set('9S 9H 9D'), set('2S 2H 2D 2C 2S *', 2)]
  const told = { combinations, lays: offer(...combinations), canAdd: false }
  const group = (text: string, key: number) =>
    readGroup({ key, ids: cards(text).map((_, i) => 10 * key + i), cards: cards(text), way: 0 }, told)
  const two = [group('8S 8H 8D', 1), group('9S 9H 9D', 2)]
  expect(isComplete(two, { brelans: 2, quartes: 0 })).toBe(true)
  expect(isComplete(two.slice(1), { brelans: 2, quartes: 0 })).toBe(false)
  expect(isComplete([group('2S 2H 2D 2C 2S *', 3)], { brelans: 2, quartes: 0 })).toBe(true)
  expect(lookedFor(two)).toEqual({ brelans: 2, quartes: 0 })
})

test('the end at which an added card arrives is told by the combination', () => {
  const meld: Meld = { kind: 'run', cards: cards('5S 6S 7S 8S'), joker: null, low: ['4S'] }
  expect(endOf(meld, '4S', '')).toBe('low')
  expect(endOf(meld, '9S', '')).toBe('high')
  expect(endOf(meld, '*', 'low')).toBe('low')
  expect(endOf(undefined, '9S', '')).toBe('high')
})
