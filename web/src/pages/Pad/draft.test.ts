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
  it('is complete once nothing is missing', () => {
    const blocked = field('blocked', { kind: 'flag', default: false })
    const draft = new Draft(form(field('stocks', { each: true }), blocked), 2)
    expect(draft.complete).toBe(false)
    draft.set('stocks', 0, 0)
    expect(draft.complete).toBe(false)
    draft.set('stocks', 7, 1)
    expect(draft.complete).toBe(true)
    expect(draft.sum).toBe(7)
    expect(draft.entry()).toEqual({ stocks: [0, 7], blocked: false })
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
    expect(draft.complete).toBe(true)
    expect(draft.entry()).toEqual({ points: ['5S *', 0] })
  })
})
