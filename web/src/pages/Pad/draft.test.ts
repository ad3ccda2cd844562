import { describe, expect, it } from 'vitest'
import { Draft } from './draft.svelte'
import type { PadField, PadForm } from './types'

const field = (name: string, more: Partial<PadField> = {}): PadField => ({
  name,
  label: name,
  rule: '',
  kind: 'int',
  each: false,
  default: null,
  low: 0,
  high: 9,
  step: 1,
  ...more,
})
const form = (...fields: PadField[]): PadForm => ({ title: '', seat: 0, order: [0, 1], fields, reckon: null })

describe('a draft', () => {
  it('leaves what is not filled in empty, which is not 0', () => {
    const blocked = field('blocked', { kind: 'flag', default: false })
    const draft = new Draft(form(field('stocks', { each: true }), blocked), 2)
    draft.set('stocks', 7, 1)
    expect(draft.sum).toBe(7)
    expect(draft.entry()).toEqual({ stocks: [null, 7], blocked: false })
  })

  it('has what is wrong at its field, and what is missing once somebody has tried to write', () => {
    const draft = new Draft(form(field('points', { each: true })), 2)
    draft.set('points', '5 K', 0)
    const one = { text: 'too much', field: 'points', seats: [0] }
    const two = { text: 'nothing yet', field: 'points', seats: [1] }
    const found = { type: 'checked', re: '', seq: 1, values: { points: [18, null] }, errors: [one], missing: [two] } as const
    draft.take({ ...found, errors: [one], missing: [two] })
    expect(draft.problem('points', 0)).toEqual(one)
    expect(draft.problem('points', 1)).toBeUndefined()
    expect(draft.counted('points', 0)).toBe(18)
    draft.tried = true
    draft.take({ ...found, errors: [one], missing: [two] })
    expect(draft.problem('points', 1)).toEqual(two)
    draft.take({ ...found, errors: [{ text: 'only one', field: 'points', seats: [0, 1] }], missing: [] })
    expect(draft.problem('points', 0)).toBeUndefined()
    expect(draft.problem('points')?.text).toBe('only one')
    expect([draft.wrong('points', 0), draft.wrong('points', 1)]).toEqual([true, true])
  })

  it('begins with what stands there when an entry is corrected, and leaves that alone', () => {
    const entry = { bids: [1, 0] }
    const draft = new Draft(form(field('bids', { each: true })), 2, entry)
    draft.set('bids', 2, 0)
    expect(draft.entry()).toEqual({ bids: [2, 0] })
    expect(entry).toEqual({ bids: [1, 0] })
  })

  it('takes cards as text, for the server to count', () => {
    const draft = new Draft(form(field('points', { each: true })), 2)
    draft.set('points', '5S *', 0)
    draft.set('points', 0, 1)
    expect(draft.entry()).toEqual({ points: ['5S *', 0] })
  })
})
