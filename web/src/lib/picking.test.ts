import { beforeEach, expect, test, vi } from 'vitest'
import { Picking, type Option } from './picking.svelte'

const expected: string[] = []
vi.mock('./stage.svelte', () => ({
  expect: (from: string, to: string) => expected.push(`${from} > ${to}`),
  release: () => undefined,
}))

let options: Option[]
let played: string[]
let asked: string[]
let hand: { canPlay: boolean; hinted: string | null; play(move: string): void; why(move: string): void }
let picking: Picking

beforeEach(() => {
  expected.length = 0
  played = []
  asked = []
  options = [
    { move: 'a>1', from: 'a', to: '1' },
    { move: 'b>1', from: 'b', to: '1' },
    { move: 'b>2', from: 'b', to: '2' },
  ]
  hand = { canPlay: true, hinted: null, play: (move) => played.push(move), why: (move) => asked.push(move) }
  picking = new Picking(hand, () => options)
  picking.whyNot = (spot, from) => `${from}>${spot}`
})

test('what fits in one place only is played at once', () => {
  picking.press('a')
  expect(played).toEqual(['a>1'])
  expect(expected).toEqual(['a > 1'])
})

test('what fits in several places is taken up, then put down', () => {
  expect(picking.look('b')).toBe('legal')
  picking.press('b')
  expect(picking.picked).toBe('b')
  expect(picking.look('b')).toBe('picked')
  expect(picking.look('2')).toBe('legal')
  expect(picking.look('a')).toBe('plain')
  expect(picking.look('c')).toBe('dim')
  picking.press('2')
  expect(played).toEqual(['b>2'])
  expect(picking.picked).toBeNull()
})

test('pressed again it is put back', () => {
  picking.press('b')
  picking.press('b')
  expect(picking.picked).toBeNull()
  expect(played).toEqual([])
})

test('a game can choose for a press', () => {
  picking.choose = (fitting) => fitting.at(-1)!
  picking.press('b')
  expect(played).toEqual(['b>2'])
})

test('what goes by itself can be taken up instead, put elsewhere or back', () => {
  picking.choose = (fitting) => fitting[0]!
  picking.take('b')
  picking.press('2')
  expect(played).toEqual(['b>2'])
  picking.take('b')
  picking.press('b')
  expect(picking.picked).toBeNull()
  expect(played).toEqual(['b>2'])
})

test('the second half of a double tap is no move', () => {
  const now = vi.spyOn(performance, 'now')
  now.mockReturnValue(1000)
  picking.press('a')
  now.mockReturnValue(1200)
  picking.press('a')
  expect(played).toHaveLength(1)
  now.mockReturnValue(1400)
  picking.press('a')
  expect(played).toHaveLength(2)
  // Somebody else has moved meanwhile.
  Object.assign(hand, { view: { ply: 2, legal: [] } })
  picking.press('a')
  expect(played).toHaveLength(3)
  now.mockRestore()
})

test('what is no move says why', () => {
  picking.press('c')
  picking.press('b')
  picking.press('3')
  expect(asked).toEqual(['null>c', 'b>3'])
  expect(played).toEqual([])
})

test('nothing is offered while nothing can be played', () => {
  hand.canPlay = false
  picking = new Picking(hand, () => options)
  picking.press('a')
  expect(played).toEqual([])
  expect(picking.look('a')).toBe('plain')
})

test('a press that comes too soon is not explained, one off turn is', () => {
  const view = { ply: 3, legal: [{}] as unknown[] }
  picking = new Picking({ ...hand, canPlay: false, view }, () => options)
  picking.whyNot = (spot) => spot
  picking.press('a')
  expect(asked).toEqual([])
  view.legal = []
  picking.press('a')
  expect(asked).toEqual(['a'])
})

test('a hint glows where it starts and where it ends', () => {
  hand.hinted = 'b>2'
  expect(picking.look('b')).toBe('hinted')
  expect(picking.look('2')).toBe('hinted')
  expect(picking.look('a')).toBe('legal')
})
