import { expect, test } from 'vitest'
import cases from './grammar.cases.json'
import { beginsWithVowel, isOne, join } from './grammar'
import { fill } from './i18n.svelte'

test('French elides before a vowel and a silent h, and before nothing else', () => {
  expect(cases.elided.filter((word) => !beginsWithVowel(word))).toEqual([])
  expect(cases.kept.filter(beginsWithVowel)).toEqual([])
})

test('every word that French elides loses its vowel before a name, in French alone', () => {
  for (const word of ['de', 'le', 'la', 'que', 'ne', 'se', 'je', 'jusque', 'lorsque', 'De', 'Que']) {
    for (const name of cases.elided) {
      expect(fill(`Vu ${word} {name}.`, { name }, 'fr')).toBe(`Vu ${word.slice(0, -1)}’${name}.`)
      expect(fill(`${word} {name}`, { name }, 'en')).toBe(`${word} ${name}`)
    }
    for (const name of cases.kept) expect(join(word, name, 'fr')).toBe(`${word} ${name}`)
  }
})

test('other words keep their vowel', () => {
  for (const word of ['à', 'pour', 'code', 'contre', 'entre', 'une', 'vide', 'fois la mule'])
    expect(fill(`${word} {name}`, { name: 'Ana' }, 'fr')).toBe(`${word} Ana`)
  expect(fill('de {name}', {}, 'fr')).toBe('de {name}')
  expect(fill('(de {name} et que {other})', { name: 'Ana', other: 'Iris' }, 'fr')).toBe('(d’Ana et qu’Iris)')
})

test('a plural begins after one in English, with two in French', () => {
  for (let n = -30; n <= 130; n += 1) {
    expect(isOne(n, 'en')).toBe(Math.abs(n) === 1)
    expect(isOne(n, 'fr')).toBe(Math.abs(n) < 2)
  }
  expect(isOne(1_000_000, 'fr')).toBe(false)
})
