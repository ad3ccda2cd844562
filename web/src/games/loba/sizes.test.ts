import { expect, test } from 'vitest'
import { handSizes, meldSize } from './sizes'

const PHONE = { shape: 'tall', width: 24.4, height: 35.5 } as const
const given = { room: PHONE, others: 4, melds: [], groups: [], loose: 12 }

test('the more combinations lie on a phone, the more rows of the hand lie over each other', () => {
  const free = handSizes(given)
  const full = handSizes({ ...given, melds: Array(12).fill(4) })
  expect(full.seen).toBeLessThan(free.seen)
  expect(full.card).toBeGreaterThan(2.5)
})

test('cards of a hand overlap so that the row has room', () => {
  const { card, step } = handSizes(given)
  expect(card + 5 * step).toBeLessThanOrEqual(PHONE.width - 1 + 0.2)
})

test('groups make the cards of the hand smaller', () => {
  const grouped = handSizes({ ...given, groups: [3, 4], loose: 5 })
  expect(grouped.card).toBeLessThan(handSizes({ ...given, loose: 5 }).card)
})

test('cards of the combinations are as large as their room allows', () => {
  const area = { width: 370, height: 130 }
  expect(meldSize(area, [3], 16)).toBeGreaterThan(60)
  const many = meldSize(area, Array(10).fill(4), 16)
  expect(many).toBeGreaterThanOrEqual(1.2 * 16)
  expect(many).toBeLessThan(40)
})
