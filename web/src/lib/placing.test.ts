import { describe, expect, test } from 'vitest'
import { place, shared, type Box } from './placing'

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const PHONE = box(0, 0, 390, 664)
const LOW = box(0, 0, 740, 360)

function laid(size: [number, number], room: Box, free: Box[], rest: Box[] = []): Box {
  const found = place({ width: size[0], height: size[1] }, room, free, rest)
  return box(found.left, found.top, Math.min(size[0], found.width), Math.min(size[1], found.height))
}

describe('where something floats', () => {
  test.each([
    ['a card of the hand', PHONE, box(100, 560, 50, 70)],
    ['a pile at the top', PHONE, box(150, 60, 60, 80)],
    ['a wide button', PHONE, box(10, 600, 370, 50)],
    ['a card on a low screen', LOW, box(400, 260, 60, 84)],
    ['a die in the middle of a low screen', LOW, box(350, 150, 44, 44)],
  ])('is never over %s', (_, room, free) => {
    const found = laid([300, 200], room, [free])
    expect(shared(found, free)).toBe(0)
    expect(shared(found, room)).toBe((found.right - found.left) * (found.bottom - found.top))
  })

  test('is where it covers the least', () => {
    const hand = box(0, 560, 390, 80)
    const seats = box(0, 50, 390, 150)
    const found = laid([300, 200], PHONE, [box(100, 560, 50, 70)], [hand, seats])
    expect(shared(found, seats)).toBe(0)
    expect(shared(found, hand)).toBe(0)
  })

  test('is made smaller where it does not fit', () => {
    const found = laid([600, 340], LOW, [box(300, 150, 60, 60)])
    expect(found.right - found.left).toBeLessThanOrEqual(740)
    expect(shared(found, box(300, 150, 60, 60))).toBe(0)
  })

  test('has all the room if it speaks of nothing that is seen', () => {
    expect(place({ width: 300, height: 200 }, PHONE, [box(0, 900, 50, 50)], [])).toMatchObject({ left: 45, top: 0 })
  })
})
