import { expect, test } from 'vitest'
import { drawingOf, lettersOf } from './drawing'

test('the same id gives the same drawing, others give others', () => {
  const ids = Array.from({ length: 300 }, (_, i) => `game_${i}`)
  expect(drawingOf('pig')).toEqual(drawingOf('pig'))
  expect(new Set(ids.map((id) => JSON.stringify(drawingOf(id)))).size).toBe(ids.length)
})

test('everything lies on the cloth', () => {
  for (const id of ['pig', 'otter', 'a', 'long_name_of_a_game']) {
    for (const { x, y } of drawingOf(id).things) {
      expect(x > 20 && x < 300 && y > 20 && y < 150).toBe(true)
    }
  }
})

test('letters come from the words of the id', () => {
  expect(['pig', 'down_the_7', 'a', 'one-two'].map(lettersOf)).toEqual(['Pi', 'Dt7', 'A', 'Ot'])
})
