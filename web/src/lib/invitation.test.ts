import { expect, test } from 'vitest'
import { addressIn } from './invitation'

test('a code is read however it is written', () => {
  for (const code of ['c57wfqf2qb3v', ' C57W-FQF2-QB3V ', 'c57w fqf2 qb3v']) expect(addressIn(code)).toBe('/t/c57wfqf2qb3v')
})

test('a link is found in what was pasted, with its secret', () => {
  const link = 'https://games.example/t/c57wfqf2qb3v#join=Ab-c_9'
  expect(addressIn(`Come and play: ${link} !`)).toBe('/t/c57wfqf2qb3v#join=Ab-c_9')
  expect(addressIn('http://10.0.0.7:7707/pad/c57wfqf2qb3v#watch=xyz')).toBe('/pad/c57wfqf2qb3v#watch=xyz')
  expect(addressIn('games.example/t/c57wfqf2qb3v/replay?at=12')).toBe('/t/c57wfqf2qb3v')
})

test('other texts lead nowhere', () => {
  for (const text of ['', 'hello', 'c57wfqf2qb3', 'c57wfqf2qb3v9', 'c57wfqf2qbol', 'https://games.example/t/']) {
    expect(addressIn(text)).toBeNull()
  }
})
