/**
 * How a player keeps the own cards: their order, the groups put aside for laying down, the cards taken up. It is kept
 * on the device, since the server knows a hand in no order.
 */

import { SUITS, rankIndex, suitOf } from './types'

export interface Held {
  id: number
  card: string
}

export interface Group {
  key: number
  ids: number[]
  /** Which of several ways to lay it is meant: a joker may stand in several places. */
  way: number
}

export type Sort = 'own' | 'rank' | 'suit'

interface Stored {
  at: number
  sort: Sort
  order: string[]
  groups: string[][]
}

const KEY = 'ludotheque.loba.hands'
const MOST_TABLES = 12

const ORDERS: Record<'rank' | 'suit', (card: string) => number> = {
  rank: (card) => 4 * rankIndex(card) + suitIndex(card),
  suit: (card) => 14 * suitIndex(card) + rankIndex(card),
}

function suitIndex(card: string): number {
  const suit = suitOf(card)
  return suit ? SUITS.indexOf(suit) : SUITS.length
}

export class Desk {
  cards = $state.raw<Held[]>([])
  groups = $state.raw<Group[]>([])
  /** The cards that are taken up, in the order of taking. */
  chosen = $state.raw<number[]>([])
  sort = $state<Sort>('rank')
  /** The card that came last. */
  fresh = $state<number | null>(null)

  #place: string
  #nextId = 1
  #byId = $derived(new Map(this.cards.map((held) => [held.id, held.card])))
  #grouped = $derived(new Set(this.groups.flatMap((group) => group.ids)))

  /** `place` tells one match from another on this device. */
  constructor(place: string) {
    this.#place = place
  }

  /** Cards in no group. */
  get loose(): Held[] {
    return this.cards.filter(({ id }) => !this.#grouped.has(id))
  }

  cardsOf(ids: number[]): string[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? [])
  }

  isChosen(id: number): boolean {
    return this.chosen.includes(id)
  }

  /** Bring the desk in line with the hand the server tells: old cards keep their places, those taken up leave first. */
  sync(hand: string[]): void {
    const left = [...hand]
    const kept = new Set<number>()
    const leaving = new Set(this.chosen)
    const last = [...this.cards].sort((a, b) => Number(leaving.has(a.id)) - Number(leaving.has(b.id)))
    for (const { id, card } of last) {
      const at = left.indexOf(card)
      if (at < 0) continue
      left.splice(at, 1)
      kept.add(id)
    }
    if (kept.size === this.cards.length && !left.length) return
    const isNew = kept.size === 0
    this.cards = this.cards.filter(({ id }) => kept.has(id))
    this.chosen = this.chosen.filter((id) => kept.has(id))
    this.groups = trim(this.groups, kept)
    const arrived = left.map((card) => ({ id: this.#nextId++, card }))
    this.fresh = arrived.length === 1 ? arrived[0]!.id : null
    for (const held of arrived) this.#insert(held)
    if (isNew) this.#restore()
  }

  toggle(id: number): void {
    this.chosen = this.isChosen(id) ? this.chosen.filter((one) => one !== id) : [...this.chosen, id]
  }

  clear(): void {
    this.chosen = []
  }

  sortBy(sort: 'rank' | 'suit'): void {
    this.#change(() => {
      this.sort = sort
      this.cards = [...this.cards].sort((a, b) => ORDERS[sort](a.card) - ORDERS[sort](b.card))
    })
  }

  /** Put cards among the loose ones, before that card; null for the end. */
  moveBefore(ids: number[], before: number | null): void {
    if (before !== null && ids.includes(before)) return
    this.#change(() => {
      const moving = ids.flatMap((id) => this.cards.find((held) => held.id === id) ?? [])
      const rest = this.cards.filter(({ id }) => !ids.includes(id))
      const at = before === null ? rest.length : rest.findIndex(({ id }) => id === before)
      this.cards = [...rest.slice(0, at), ...moving, ...rest.slice(at)]
      this.groups = this.#groupsWithout(ids)
      this.sort = 'own'
    })
  }

  /** One step to the left or right among the loose cards. */
  shift(id: number, step: -1 | 1): void {
    const loose = this.loose.map((held) => held.id)
    const at = loose.indexOf(id)
    if (at < 0 || at + step < 0 || at + step >= loose.length) return
    this.moveBefore([id], step < 0 ? loose[at - 1]! : (loose[at + 2] ?? null))
  }

  /** Put cards into a group, or into a new one. */
  group(ids: number[], key: number | null): void {
    if (!ids.length) return
    this.#change(() => {
      const groups = this.groups.map((group) => ({ ...group, ids: group.ids.filter((id) => !ids.includes(id)) }))
      const own = groups.find((group) => group.key === key)
      if (own) own.ids.push(...ids)
      else groups.push({ key: this.#nextId++, ids, way: 0 })
      this.groups = groups.filter((group) => group.ids.length)
      this.chosen = []
    })
  }

  /** Take a group apart; without a key, all of them. */
  ungroup(key?: number): void {
    this.#change(() => {
      this.groups = key === undefined ? [] : this.groups.filter((group) => group.key !== key)
    })
  }

  /** Lay cards out in these groups, instead of those there are. */
  arrange(rows: string[][]): void {
    this.#change(() => {
      this.groups = this.#findGroups(rows)
      this.chosen = []
    })
  }

  /** Mean the next of the ways in which a group can be laid. */
  turn(key: number): void {
    this.#change(() => {
      this.groups = this.groups.map((group) => (group.key === key ? { ...group, way: group.way + 1 } : group))
    })
  }

  #change(act: () => void): void {
    act()
    this.#store()
  }

  #groupsWithout(ids: number[]): Group[] {
    return trim(this.groups, new Set(this.cards.map(({ id }) => id).filter((id) => !ids.includes(id))))
  }

  #insert(held: Held): void {
    const sort = this.sort
    if (sort === 'own') {
      this.cards = [...this.cards, held]
      return
    }
    const weight = ORDERS[sort]
    const at = this.cards.findIndex(({ card }) => weight(card) > weight(held.card))
    this.cards = at < 0 ? [...this.cards, held] : [...this.cards.slice(0, at), held, ...this.cards.slice(at)]
  }

  #findGroups(rows: string[][]): Group[] {
    const free = [...this.cards]
    return rows.flatMap((row) => {
      const ids = row.flatMap((card) => {
        const at = free.findIndex((held) => held.card === card)
        return at < 0 ? [] : [free.splice(at, 1)[0]!.id]
      })
      return ids.length ? [{ key: this.#nextId++, ids, way: 0 }] : []
    })
  }

  /** After a reload: the order and the groups as they were left. */
  #restore(): void {
    const stored = read()[this.#place]
    if (!stored) return
    this.sort = stored.sort
    if (stored.sort !== 'own') {
      const weight = ORDERS[stored.sort]
      this.cards = [...this.cards].sort((a, b) => weight(a.card) - weight(b.card))
    }
    const order = [...stored.order]
    const known = this.cards.filter(({ card }) => order.includes(card)).length
    if (known < this.cards.length - 1) return
    if (stored.sort === 'own') {
      const rest = [...this.cards]
      const first = order.flatMap((card) => {
        const at = rest.findIndex((held) => held.card === card)
        return at < 0 ? [] : rest.splice(at, 1)
      })
      this.cards = [...first, ...rest]
    }
    this.groups = this.#findGroups(stored.groups)
  }

  #store(): void {
    const tables = read()
    tables[this.#place] = {
      at: Date.now(),
      sort: this.sort,
      order: this.cards.map(({ card }) => card),
      groups: this.groups.map((group) => this.cardsOf(group.ids)),
    }
    const newest = Object.entries(tables).sort((a, b) => b[1].at - a[1].at)
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(newest.slice(0, MOST_TABLES))))
    } catch {
      // A full or forbidden storage only forgets.
    }
  }
}

/** Groups with only those cards, and no empty ones. */
function trim(groups: Group[], kept: Set<number>): Group[] {
  return groups
    .map((group) => ({ ...group, ids: group.ids.filter((id) => kept.has(id)) }))
    .filter((group) => group.ids.length)
}

function read(): Record<string, Stored> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return found && typeof found === 'object' ? (found as Record<string, Stored>) : {}
  } catch {
    return {}
  }
}
