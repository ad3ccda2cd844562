import { describe, expect, it } from 'vitest'
import type { Play } from '~/lib/play'
import { Choice } from './choice.svelte'
import type { Keep } from './types'
import type { Table } from './view'

const keep = (...dice: number[]): Keep => ({
  move: `keep ${dice.join(' ')}`,
  dice,
  points: 0,
  turn_points: 0,
  lotte: false,
  rolls: 0,
  bust: null,
})

/** A choice among keeps, and the moves it asked about. */
function start(roll: number[], keeps: Keep[], canPlay = true) {
  const asked: string[] = []
  const table = { roll, keeps } as unknown as Table
  const play = { view: { ply: 3, table }, canPlay, why: (move: string) => asked.push(move) } as unknown as Play<Table>
  return { choice: new Choice(play), play, asked }
}

const ROLL = [1, 2, 2, 2, 4, 5]
const KEEPS = [keep(1), keep(5), keep(1, 5), keep(2, 2, 2), keep(1, 2, 2, 2), keep(2, 2, 2, 5), keep(1, 2, 2, 2, 5)]

describe('picking dice', () => {
  it('makes one of the keeps at every step', () => {
    const { choice } = start(ROLL, KEEPS)
    expect(choice.keep).toBeNull()
    choice.toggle(0)
    expect(choice.keep?.move).toBe('keep 1')
    choice.toggle(5)
    expect(choice.keep?.move).toBe('keep 1 5')
    choice.toggle(0)
    expect(choice.keep?.move).toBe('keep 5')
  })

  it('takes three of a kind together and puts them back together', () => {
    const { choice } = start(ROLL, KEEPS)
    choice.toggle(2)
    expect(choice.dice.toSorted()).toEqual([1, 2, 3])
    choice.toggle(0)
    expect(choice.keep?.move).toBe('keep 1 2 2 2')
    choice.toggle(1)
    expect(choice.keep?.move).toBe('keep 1')
  })

  it('shows the keeps that contain what is picked', () => {
    const { choice } = start(ROLL, KEEPS)
    expect(choice.fitting).toHaveLength(KEEPS.length)
    choice.toggle(5)
    expect(choice.fitting.map((one) => one.move)).toEqual(['keep 5', 'keep 1 5', 'keep 2 2 2 5', 'keep 1 2 2 2 5'])
  })

  it('asks why a die that scores nothing cannot be kept', () => {
    const { choice, asked } = start(ROLL, KEEPS)
    choice.toggle(4)
    expect(choice.dice).toEqual([])
    expect(asked).toEqual(['keep 4 4 4'])
  })

  it('picks by face, one more each time, and back after the last', () => {
    const { choice } = start([5, 5, 3], [keep(5), keep(5, 5)])
    choice.toggleFace(5)
    choice.toggleFace(5)
    expect(choice.keep?.move).toBe('keep 5 5')
    choice.toggleFace(5)
    expect(choice.keep?.move).toBe('keep 5')
  })

  it('has the only keep picked from the start, and nothing when it is not ones turn', () => {
    expect(start([1, 3], [keep(1)]).choice.dice).toEqual([0])
    expect(start([1, 3], [keep(1)], false).choice.dice).toEqual([])
  })

  it('forgets what was picked for another roll', () => {
    const { choice, play } = start(ROLL, KEEPS)
    choice.toggle(0)
    Object.assign(play.view, { ply: 4 })
    expect(choice.dice).toEqual([])
  })
})
