import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Live, type News } from './live.svelte'

class FakeSocket {
  static all: FakeSocket[] = []
  sent: Record<string, unknown>[] = []
  isClosed = false
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null

  constructor(readonly address: string) {
    FakeSocket.all.push(this)
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }

  close() {
    this.isClosed = true
  }

  /** The server's side. */
  tell(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const TABLE = { id: 't', kind: 'match', game: 'g', seats: [], options: {}, status: 'playing', match: 1 }
const said = (seq: number) => ({ type: 'said', seq, at: 0, text: `word ${seq}`, name: 'Ann', seat: 0 })
const welcome = (seq: number, events: object[] = []) => ({ type: 'welcome', seq, table: TABLE, events, seat: 0 })
const update = (seq: number, more: object = {}) => ({ type: 'update', seq, events: [said(seq)], ...more })

let news: News[]
let live: Live
let stop: () => void
const socket = () => FakeSocket.all.at(-1)!
const heard = () => news.flatMap((one) => one.events.map((event) => event.seq))

function connect(after: number) {
  news = []
  const open = (address: string) => new FakeSocket(address) as unknown as WebSocket
  live = new Live('t', () => ({ token: 'secret', lang: 'fr' }), (one) => news.push(one), after, open)
  stop = live.open()
  socket().onopen?.()
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
  vi.stubGlobal('location', { protocol: 'http:', host: 'here:1' })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
})

afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('it greets with the last event seen, and takes what happened since', () => {
  connect(5)
  expect(socket().address).toBe('ws://here:1/ws/t')
  expect(socket().sent[0]).toEqual({ type: 'hello', after: 5, pauses: true, token: 'secret', lang: 'fr' })
  socket().tell(welcome(7, [said(6), said(7)]))
  expect(live.link).toBe('open')
  expect(live.seat).toBe(0)
  expect(heard()).toEqual([6, 7])
  expect(news[0]?.anew).toBe(true)
})

test('after a break it resumes where it was, and nothing is told twice', () => {
  connect(0)
  socket().tell(welcome(3, [said(2), said(3)]))
  socket().tell(update(4))
  const first = socket()
  first.onclose?.()
  expect(live.link).toBe('lost')
  vi.advanceTimersByTime(2000)
  expect(socket()).not.toBe(first)
  socket().onopen?.()
  expect(socket().sent[0]).toMatchObject({ type: 'hello', after: 4 })
  socket().tell(welcome(6, [said(4), said(5), said(6)]))
  expect(heard()).toEqual([2, 3, 4, 5, 6])
  expect(news.at(-1)?.anew).toBe(false)
  expect(live.link).toBe('open')
})

test('a duplicate is not news', () => {
  connect(0)
  socket().tell(welcome(1))
  socket().tell(update(2))
  socket().tell(update(2))
  expect(heard()).toEqual([2])
})

test('when something is missing in between, all of it is asked for', () => {
  connect(0)
  socket().tell(welcome(1))
  socket().tell(update(4))
  expect(heard()).toEqual([])
  expect(FakeSocket.all.length).toBe(2)
  socket().onopen?.()
  expect(socket().sent[0]).toMatchObject({ after: 1 })
  socket().tell(welcome(4, [said(2), said(3), said(4)]))
  expect(heard()).toEqual([2, 3, 4])
})

test('what an old connection still says is not heard', () => {
  connect(0)
  socket().tell(welcome(1))
  const old = socket()
  live.greetAgain()
  old.tell(update(2))
  expect(heard()).toEqual([])
})

test('a request is answered by its id, and sent again under the same id after a break', async () => {
  connect(0)
  socket().tell(welcome(1))
  const answer = live.ask({ type: 'move', move: 'R7' })
  const sent = socket().sent.at(-1)!
  expect(sent).toMatchObject({ type: 'move', move: 'R7', seq: 1 })
  socket().onclose?.()
  vi.advanceTimersByTime(2000)
  socket().onopen?.()
  socket().tell(welcome(1))
  expect(socket().sent.at(-1)).toEqual(sent)
  socket().tell(update(2, { re: sent.id }))
  expect(await answer).toMatchObject({ type: 'update', re: sent.id })
  socket().onclose?.()
  vi.advanceTimersByTime(2000)
  socket().onopen?.()
  socket().tell(welcome(2))
  expect(socket().sent.length).toBe(1)
})

test('a refusal is an answer', async () => {
  connect(0)
  socket().tell(welcome(1))
  const answer = live.ask({ type: 'why', move: 'R7' })
  const { id } = socket().sent.at(-1)!
  socket().tell({ type: 'refused', re: id, code: 'illegal', text: 'Follow suit.', rule: 'D9', seq: 1 })
  expect(await answer).toMatchObject({ code: 'illegal', rule: 'D9' })
})

test('a goodbye for good closes; one for now tries again', async () => {
  connect(0)
  socket().tell(welcome(1))
  socket().tell({ type: 'bye', code: 'shutting_down', text: 'Restarting.' })
  socket().onclose?.()
  expect(live.link).toBe('lost')
  vi.advanceTimersByTime(2000)
  socket().onopen?.()
  const waiting = live.ask({ type: 'start' })
  socket().tell({ type: 'bye', code: 'unknown_table', text: 'No such table.' })
  expect(live.link).toBe('closed')
  expect(live.bye?.code).toBe('unknown_table')
  expect(await waiting).toMatchObject({ type: 'refused', code: 'unknown_table' })
  vi.advanceTimersByTime(60_000)
  expect(FakeSocket.all.length).toBe(2)
})

test('a connection that says nothing is probed, then given up', () => {
  connect(0)
  socket().tell(welcome(1))
  vi.advanceTimersByTime(20_000)
  expect(socket().sent.at(-1)).toMatchObject({ type: 'ping' })
  vi.advanceTimersByTime(8_000)
  expect(live.link).toBe('lost')
})

test('one follows oneself to another seat', () => {
  connect(0)
  socket().tell(welcome(1))
  socket().tell({ type: 'update', seq: 2, events: [{ type: 'took_seat', seq: 2, at: 0, seat: 3, left: 0 }] })
  expect(live.seat).toBe(3)
  socket().tell({ type: 'update', seq: 3, events: [{ type: 'left', seq: 3, at: 0, seat: 3 }] })
  expect(live.seat).toBe(null)
})
