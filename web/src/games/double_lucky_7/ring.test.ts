import { describe, expect, it } from 'vitest'
import { ring, type Room, type Spot } from './ring'

const SIZES: [number, number, number][] = [
  [736, 380, 1],
  [820, 760, 1],
  [960, 520, 1.2],
  [1600, 730, 2],
  [2240, 990, 2.7],
]
const CASES = SIZES.flatMap(([width, height, scale]) => [1, 2, 3, 4, 5, 6].map((n) => [n, width, height, scale] as const))

function room(width: number, height: number, scale: number): Room {
  const seat = { width: Math.min(160 * scale, width / 5.2), height: 74 * scale }
  return { width, height, seat, foot: 125 * scale, line: 18 * scale, gap: 8, card: 60 * scale }
}

interface Box extends Spot {
  w: number
  h: number
}

describe('the ring', () => {
  it.each(CASES)('has room for %i others in %i by %i', (n, width, height, scale) => {
    const given = room(width, height, scale)
    const { seats, cards, own, card } = ring(n, given)
    const boxes: Box[] = [
      ...seats.map((spot) => ({ ...spot, w: given.seat.width, h: given.seat.height })),
      ...[...cards, own].map((spot) => ({ ...spot, w: card, h: card * 1.4 + given.line })),
    ]
    expect(boxes).toHaveLength(2 * n + 1)
    expect(card).toBeGreaterThan(36 * scale)
    for (const [i, a] of boxes.entries()) {
      expect(a.x - a.w / 2).toBeGreaterThanOrEqual(0)
      expect(a.x + a.w / 2).toBeLessThanOrEqual(width)
      expect(a.y - a.h / 2).toBeGreaterThanOrEqual(0)
      expect(a.y + a.h / 2).toBeLessThanOrEqual(height)
      for (const b of boxes.slice(i + 1)) {
        expect(Math.abs(a.x - b.x) >= (a.w + b.w) / 2 || Math.abs(a.y - b.y) >= (a.h + b.h) / 2).toBe(true)
      }
    }
  })

  it('lays each card between its player and the middle', () => {
    const { seats, cards, own } = ring(6, room(960, 520, 1.2))
    for (const [i, card] of cards.entries()) {
      const far = (spot: Spot) => Math.hypot(spot.x - own.x, spot.y - own.y)
      expect(far(card)).toBeLessThan(far(seats[i]!))
      expect(Math.sign(card.x - own.x)).toBe(Math.sign(seats[i]!.x - own.x))
    }
  })
})
