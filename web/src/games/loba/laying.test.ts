import { expect, test } from 'vitest'
import type { Play } from '~/lib/play'
import { Laying } from './laying.svelte'
import type { Combination } from './types'
import type { Table } from './view'

/** A match that offers these moves, one list after each move. */
function match(...offers: string[][]) {
  const told = { played: [] as string[], asked: [] as string[], waiting: false, round: 1 }
  const play = {
    seat: 0,
    get canPlay() {
      return !told.waiting
    },
    get view() {
      const ply = told.played.length
      const legal = (offers[ply] ?? []).map((move, id) => ({ id, move, label: move }))
      const combinations = offers.flat().flatMap((move) => (move.startsWith('lay ') ? [combination(move.slice(4))] : []))
      return { ply, round: told.round, actor: 0, legal, table: { melds: Array.from({ length: ply }), combinations } }
    },
    play: (move: string) => told.played.push(move),
    why: (move: string) => told.asked.push(move),
  } as unknown as Play<Table>
  const laying = new Laying(play)
  return Object.assign(told, { laying })
}

const combination = (text: string): Combination => ({ kind: 'set', worth: 1, cards: text.split(' ') })
const lay = (text: string) => ({ lay: { ...combination(text), move: `lay ${text}` } })

function run(laying: Laying): void {
  for (let i = 0; i < 10 && laying.isBusy; i++) laying.step()
}

test('groups are laid one after the other, as they are offered', () => {
  const { laying, played } = match(['lay 8S 8H 8D', 'lay 9S 9H 9D'], ['lay 9S 9H 9D'])
  laying.start([lay('8S 8H 8D'), lay('9S 9H 9D')])
  run(laying)
  expect(played).toEqual(['lay 8S 8H 8D', 'lay 9S 9H 9D'])
})

test('what is left of a long group is added to it, in the order that is possible', () => {
  const { laying, played } = match(['lay 5S 6S 7S 8S'], ['add 9S m1', 'add 4D m1'], ['add 10S m1', 'drop 2C'])
  laying.start([lay('5S 6S 7S 8S'), { add: ['10S', '9S'], meld: 0 }])
  run(laying)
  expect(played).toEqual(['lay 5S 6S 7S 8S', 'add 9S m1', 'add 10S m1'])
})

test('what the server does not offer stops the plan, and the reason is asked for', () => {
  const { laying, played, asked } = match(['lay 8S 8H 8D'], ['drop 2C'])
  laying.start([lay('8S 8H 8D'), lay('9S 9H 9D')])
  run(laying)
  expect(played).toEqual(['lay 8S 8H 8D'])
  expect(asked).toEqual(['lay 9S 9H 9D'])
  expect(laying.isBusy).toBe(false)
})

test('nothing is sent while a move is on its way, and nothing in another round', () => {
  const told = match(['lay 8S 8H 8D'], [])
  told.waiting = true
  told.laying.start([lay('8S 8H 8D')])
  told.laying.step()
  expect(told.played).toEqual([])
  told.waiting = false
  told.round = 2
  run(told.laying)
  expect(told.played).toEqual([])
  expect(told.laying.isBusy).toBe(false)
})

test('at a run with two free ends the chosen one is taken', () => {
  const { laying, played } = match(['add * m2 low', 'add * m2 high'])
  laying.start([{ add: ['*'], meld: 2, end: 'high' }])
  run(laying)
  expect(played).toEqual(['add * m2 high'])
})

test('a refused move ends the plan', () => {
  const told = match(['lay 8S 8H 8D', 'lay 9S 9H 9D'])
  told.laying.start([lay('8S 8H 8D'), lay('9S 9H 9D')])
  told.laying.step()
  told.played.length = 0
  told.laying.step()
  expect(told.played).toEqual([])
  expect(told.laying.isBusy).toBe(false)
})
