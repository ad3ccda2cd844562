import { expect, test } from 'vitest'
import { sizes } from './sizes'

const given = { others: 3, hasButtons: false, hasSheet: false }
const PHONE = { shape: 'tall', width: 24.4, height: 35.5 } as const
const LOW = { shape: 'low', width: 46, height: 19.5 } as const
const WIDE = { shape: 'wide', width: 60, height: 47 } as const

test.each([PHONE, LOW, WIDE])('own cards are never too small for a finger: $shape', (room) => {
  for (const others of [1, 2, 3]) {
    for (const hasButtons of [false, true]) {
      expect(sizes({ ...given, room, others, hasButtons }).card).toBeGreaterThan(2.5)
    }
  }
})

test('all fits into the height', () => {
  const { card, hand, other, strips } = sizes({ ...given, room: PHONE })
  expect(2 * (1.4 * other + 0.8 * strips) + 1.4 * (2 * card + hand)).toBeLessThan(PHONE.height)
})

test('the score sheet takes its room from the middle', () => {
  const room = { ...PHONE, height: 60 }
  expect(sizes({ ...given, room, hasSheet: true }).card).toBeLessThan(sizes({ ...given, room }).card)
})
