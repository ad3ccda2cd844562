import { describe, expect, test } from 'vitest'
import { scaleOf, shapeOf } from './room.svelte'

describe('the room of a table', () => {
  test.each([
    [390, 569, 'tall'],
    [740, 312, 'low'],
    [640, 352, 'low'],
    [820, 1085, 'tall'],
    [960, 752, 'wide'],
    [2240, 1392, 'wide'],
  ])('%i×%i is %s', (width, height, shape) => {
    expect(shapeOf(width / 16, height / 16)).toBe(shape)
  })

  test('makes everything larger only where there is more room both ways', () => {
    expect(scaleOf(24, 40)).toBe(1)
    expect(scaleOf(200, 40)).toBe(1)
    expect(scaleOf(120, 90)).toBe(2)
    expect(scaleOf(57, 84)).toBe(1.5)
  })
})
