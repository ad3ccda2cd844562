import { beforeEach, expect, test, vi } from 'vitest'
import { Desk } from './desk.svelte'

const hand = (text: string) => text.split(' ')
let storage: Record<string, string>

beforeEach(() => {
  storage = {}
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => (storage[key] = value),
  })
})

const shown = (desk: Desk) => desk.loose.map(({ card }) => card).join(' ')
const idOf = (desk: Desk, card: string) => desk.cards.find((held) => held.card === card)!.id

test('cards are sorted by rank or suit, and a new one goes where it belongs', () => {
  const desk = new Desk('a')
  desk.sync(hand('AS 3H 4S KD'))
  desk.sortBy('suit')
  expect(shown(desk)).toBe('AS 4S 3H KD')
  desk.sync(hand('AS 3H 4S KD 2S'))
  expect(shown(desk)).toBe('AS 2S 4S 3H KD')
  expect(desk.fresh).toBe(idOf(desk, '2S'))
})

test('an own order stays as it is, also after a reload', () => {
  const desk = new Desk('a')
  desk.sync(hand('AS 3H 4S KD'))
  desk.moveBefore([idOf(desk, 'KD')], idOf(desk, 'AS'))
  desk.shift(idOf(desk, '3H'), 1)
  expect(shown(desk)).toBe('KD AS 4S 3H')
  const again = new Desk('a')
  again.sync(hand('AS 3H 4S KD 9C'))
  expect(shown(again)).toBe('KD AS 4S 3H 9C')
  const elsewhere = new Desk('b')
  elsewhere.sync(hand('AS 3H 4S KD'))
  expect(shown(elsewhere)).toBe('AS 3H 4S KD')
})

test('groups are made, changed, taken apart and kept', () => {
  const desk = new Desk('a')
  desk.sync(hand('8S 8H 8D KD'))
  desk.group([idOf(desk, '8S'), idOf(desk, '8H')], null)
  desk.group([idOf(desk, '8D')], desk.groups[0]!.key)
  expect(desk.cardsOf(desk.groups[0]!.ids)).toEqual(['8S', '8H', '8D'])
  expect(shown(desk)).toBe('KD')
  const again = new Desk('a')
  again.sync(hand('8S 8H 8D KD'))
  expect(again.groups).toHaveLength(1)
  desk.ungroup(desk.groups[0]!.key)
  expect(desk.groups).toEqual([])
  expect(shown(desk)).toBe('8S 8H 8D KD')
})

test('of two equal cards the one that was taken up leaves', () => {
  const desk = new Desk('a')
  desk.sync(hand('8S 8S KD'))
  const [first, second] = desk.cards.map(({ id }) => id)
  desk.group([second!], null)
  desk.toggle(second!)
  desk.sync(hand('8S KD'))
  expect(desk.groups).toEqual([])
  expect(desk.cards.map(({ id }) => id)).toContain(first)
  expect(desk.chosen).toEqual([])
})
