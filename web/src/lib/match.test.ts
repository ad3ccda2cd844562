import { beforeEach, expect, test, vi } from 'vitest'
import { Match } from './match.svelte'
import type { GameScreen, View } from './play'

const ROUND = { round: 1, title: 'End of round 1', points: [1, 0], scores: [1, 0], reasons: ['why', ''] }
const flown: { speed: number }[] = []
let speed = 1
vi.mock('./prefs.svelte', () => ({ pace: () => speed, prefs: { pause: 'press' } }))
vi.mock('./i18n.svelte', () => ({ t: (key: string) => key, lang: () => 'en' }))
vi.mock('./api', () => ({ recapOf: async () => ({ rounds: [ROUND] }) }))
vi.mock('./sound', () => ({ play: () => undefined }))
vi.mock('./stage.svelte', () => ({
  fly: async (_flights: unknown, _face: unknown, rate: number) => {
    flown.push({ speed: rate })
    await new Promise((done) => setTimeout(done, 400 / rate))
  },
}))

const seat = (name: string, kind = 'person') => ({ kind, name })
const TABLE = {
  id: 't', kind: 'match', game: 'g', status: 'playing', match: 1, options: { rounds: 7 },
  seats: [seat('Ann'), seat('Bot', 'bot')],
}
const view = (ply: number, actor = 0): View => ({
  ply, actor, round: 1, over: false, scores: [0, 0], places: [1, 1], rounds: [], table: {},
  legal: actor === 0 ? [{ id: 1, move: 'a', label: 'A' }] : [],
})
const moved = (seq: number, by = 1) => ({
  type: 'moved', seq, at: 0, seat: by, move: 'x', seen: [{ type: 'play', seat: by, text: `move ${seq}` }],
})
const told: View[] = []
const screen = {
  flights: (_event: unknown, before: View) => {
    told.push(before)
    return [{ from: 'a', to: 'b' }]
  },
} as unknown as GameScreen

class FakeSocket {
  static last: FakeSocket
  sent: Record<string, unknown>[] = []
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null
  constructor() {
    FakeSocket.last = this
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close() {}
}
const tell = (message: object) => FakeSocket.last.onmessage?.({ data: JSON.stringify(message) })

let match: Match
let isHidden = false

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllTimers() // of matches before
  flown.length = told.length = 0
  speed = 1
  isHidden = false
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('document', { get hidden() { return isHidden } })
  match = new Match('t', () => ({ lang: 'en' }), 0)
  match.screen = screen
  match.live.open()
  FakeSocket.last.onopen?.()
  tell({ type: 'welcome', seq: 5, seat: 0, table: TABLE, here: [0], events: [moved(5)], view: view(3, 1) })
})

test('what was told at first is written, not played', () => {
  expect(match.view.ply).toBe(3)
  expect(match.lines.map((line) => line.text)).toEqual(['move 5'])
  expect(match.spoken).toEqual([])
  expect(flown).toEqual([])
})

test('a move is shown as movement over the old view, then as the new view', async () => {
  tell({ type: 'update', seq: 6, events: [moved(6)], view: view(4) })
  expect(told.map((one) => one.ply)).toEqual([3])
  expect(match.view.ply).toBe(3)
  expect(match.canPlay).toBe(false)
  await vi.advanceTimersByTimeAsync(2000)
  expect(match.view.ply).toBe(4)
  expect(match.canPlay).toBe(true)
  expect(match.spoken.map((one) => one.text)).toEqual(['move 6'])
  expect(match.recent.at(-1)?.text).toBe('move 6')
})

test('moves that pile up are shown in order and faster and faster', async () => {
  for (let seq = 6; seq < 18; seq += 1) tell({ type: 'update', seq, events: [moved(seq)], view: view(seq - 2, 1) })
  await vi.advanceTimersByTimeAsync(4000)
  expect(match.lines.map((line) => line.text)).toEqual(Array.from({ length: 13 }, (_, i) => `move ${i + 5}`))
  expect(match.view.ply).toBe(15)
  expect(flown[0]!.speed).toBe(1)
  expect(flown.length).toBeLessThan(10)
  expect(flown.slice(1).some((one) => one.speed === 4)).toBe(true)
})

test('a hidden page and a reader without movement see the view at once', async () => {
  isHidden = true
  tell({ type: 'update', seq: 6, events: [moved(6)], view: view(4) })
  await vi.advanceTimersByTimeAsync(0)
  expect(match.view.ply).toBe(4)
  isHidden = false
  speed = Infinity
  tell({ type: 'update', seq: 7, events: [moved(7)], view: view(5) })
  await vi.advanceTimersByTimeAsync(0)
  expect(match.view.ply).toBe(5)
  expect(flown).toEqual([])
})

test('a move is sent once, and nothing else until it is answered', async () => {
  tell({ type: 'update', seq: 6, events: [moved(6)], view: view(4) })
  await vi.advanceTimersByTimeAsync(2000)
  match.play('a')
  match.play('a')
  const moves = FakeSocket.last.sent.filter((one) => one.type === 'move')
  expect(moves).toMatchObject([{ move: 'a', seq: 6 }])
  expect(match.canPlay).toBe(false)
  tell({ type: 'refused', re: moves[0]!.id, code: 'illegal', text: 'Follow suit. [D9]', rule: 'D9', seq: 6 })
  await vi.advanceTimersByTimeAsync(0)
  expect(match.canPlay).toBe(true)
  expect(match.notice).toEqual({ text: 'Follow suit.', rule: 'D9' })
})

test('a hint glows until the match goes on', async () => {
  tell({ type: 'update', seq: 6, events: [moved(6)], view: view(4) })
  await vi.advanceTimersByTimeAsync(2000)
  void match.hint()
  const { id } = FakeSocket.last.sent.at(-1)!
  tell({ type: 'hinted', re: id, seq: 6, moves: [{ move: 'a', label: 'A', win: 0.5, points: 0, share: 1 }] })
  await vi.advanceTimersByTimeAsync(0)
  expect(match.hinted).toBe('a')
  tell({ type: 'update', seq: 7, events: [moved(7)], view: view(5, 1) })
  await vi.advanceTimersByTimeAsync(3000)
  expect(match.hinted).toBe(null)
})

test('words and reactions stand at the seat for a while', async () => {
  tell({ type: 'update', seq: 6, events: [{ type: 'reacted', seq: 6, at: 0, mark: 'clap', name: 'Bot', seat: 1 }] })
  await vi.advanceTimersByTimeAsync(10)
  expect(match.sitters[1]?.bubble?.mark).toBe('clap')
  await vi.advanceTimersByTimeAsync(6000)
  expect(match.sitters[1]?.bubble).toBeFalsy()
})

test('what is told from scratch wins over what was being shown', async () => {
  tell({ type: 'update', seq: 6, events: [moved(6)], view: view(4) })
  match.live.greetAgain(0)
  FakeSocket.last.onopen?.()
  const again = { ...view(4), table: { said: 'anew' } }
  tell({ type: 'welcome', seq: 6, seat: 0, table: TABLE, events: [moved(5), moved(6)], view: again })
  await vi.advanceTimersByTimeAsync(5000)
  expect(match.view.table).toEqual({ said: 'anew' })
  expect(match.lines.map((line) => line.text)).toEqual(['move 5', 'move 6'])
})

const ended = (seq: number) => ({
  ...moved(seq),
  seen: [{ type: 'round_end', round: 1, points: [1, 0], scores: [1, 0], text: 'over' }, { type: 'deal', text: 'deal' }],
})

test('a round stays in sight until everybody has pressed on', async () => {
  tell({ type: 'update', seq: 6, events: [ended(6)], view: view(4), waiting: [0, 1] })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(match.intermission.round).toEqual(ROUND)
  expect(match.lines.at(-1)?.text).toBe('over')
  expect(match.canPlay).toBe(false)
  match.intermission.pressOn()
  expect(FakeSocket.last.sent.at(-1)).toMatchObject({ type: 'ready' })
  tell({ type: 'paused', waiting: [1] })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(match.intermission.isAwaited).toBe(false)
  expect(match.intermission.round).toEqual(ROUND)
  tell({ type: 'paused' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(match.intermission.round).toBe(null)
  expect(match.lines.at(-1)?.text).toBe('deal')
  expect(match.canPlay).toBe(true)
})

test('whoever comes back into a pause is shown the round', async () => {
  match.live.greetAgain(0)
  FakeSocket.last.onopen?.()
  const last = { type: 'round_end', round: 1, points: [1, 0], scores: [1, 0] }
  tell({ type: 'welcome', seq: 6, seat: 0, table: TABLE, events: [], view: { ...view(4), rounds: [last] }, waiting: [0] })
  await vi.advanceTimersByTimeAsync(100)
  expect(match.intermission.isAwaited).toBe(true)
  expect(match.intermission.round).toEqual(ROUND)
})

test('a moment is held up, and goes', async () => {
  match.screen = { ...screen, moment: ({ text }) => ({ tone: 'bad', text: text ?? '' }) }
  tell({ type: 'update', seq: 6, events: [moved(6)], view: view(4) })
  await vi.advanceTimersByTimeAsync(1000)
  expect(match.moment?.text).toBe('move 6')
  expect(match.canPlay).toBe(false)
  await vi.advanceTimersByTimeAsync(4000)
  expect(match.moment).toBe(null)
  expect(match.canPlay).toBe(true)
})

test('who is out, and whether only bots are left, comes from the view', async () => {
  const out = (seats: number[]) => ({ ...view(4, 1), table: { out: seats } })
  tell({ type: 'update', seq: 6, events: [moved(6)], view: out([1]) })
  await vi.advanceTimersByTimeAsync(2000)
  expect([match.isOut, match.isLeftToBots]).toEqual([false, false])
  tell({ type: 'update', seq: 7, events: [moved(7)], view: out([1, 0]) })
  await vi.advanceTimersByTimeAsync(2000)
  expect([match.isOut, match.isLeftToBots]).toEqual([true, true])
  void match.hasten('faster')
  const { id } = FakeSocket.last.sent.at(-1)!
  tell({ type: 'ack', re: id, seq: 7 })
  await vi.advanceTimersByTimeAsync(0)
  flown.length = 0
  tell({ type: 'update', seq: 8, events: [moved(8)], view: out([1, 0]) })
  await vi.advanceTimersByTimeAsync(2000)
  expect(flown).toEqual([{ speed: 4 }])
})
