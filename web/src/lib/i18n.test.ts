import { expect, test } from 'vitest'
import { fill } from './i18n.svelte'

test('params take their places', () => {
  expect(fill('{name} has {n}', { name: 'Ann', n: 3 }, 'en')).toBe('Ann has 3')
  expect(fill('{name} stays', {}, 'en')).toBe('{name} stays')
})

test('numbers are written as the language does', () => {
  expect(fill('{n}', { n: 6500 }, 'en')).toBe('6,500')
  expect(fill('{n}', { n: 6500 }, 'fr')).toBe('6\u202f500')
})

test('one is one in English, none and one in French', () => {
  const cards = '{n|carte|cartes}'
  expect([0, 1, 2].map((n) => fill(cards, { n }, 'fr'))).toEqual(['carte', 'carte', 'cartes'])
  expect([0, 1, 2].map((n) => fill(cards, { n }, 'en'))).toEqual(['cartes', 'carte', 'cartes'])
  expect(fill('{n|x|y}', { n: -1 }, 'fr')).toBe('x')
})
