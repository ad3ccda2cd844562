/** The WebSocket of a table: connects, resumes after the last event seen, and connects again by itself. */

import type {
  Ack,
  Answer,
  Checked,
  Happened,
  Hinted,
  Paused,
  Refused,
  Request,
  TableInfo,
  Update,
  Welcome,
} from '~/lib/protocol'
import type { View } from '~/lib/play'

/** `connecting` at first, `lost` while it tries again, `closed` for good. */
export type Link = 'connecting' | 'open' | 'lost' | 'closed'

/** Something that happened. `anew`: told from scratch, not as news. */
export interface News {
  events: Happened[]
  view: View | null
  anew: boolean
  /** Whether a round was closed, with a pause until everybody has pressed on. */
  pause?: boolean
}

export interface Greeting {
  token?: string | null
  key?: string | null
  lang: 'fr' | 'en'
}

export type Reply = Update | Ack | Refused | Hinted | Checked
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never
/** A request without what is filled in here. */
export type Wish = Without<Request, 'id' | 'seq'>

interface Waiting {
  text: string
  answer: (reply: Reply) => void
}

/** Reasons to close after which trying again is of no use. */
const FINAL = new Set(['unknown_table', 'not_allowed', 'not_seated', 'bad_origin', 'broken', 'old_rules'])
const TOLD_WITH_SEQ = new Set(['move', 'undo', 'enter', 'wipe', 'reorder', 'rename'])
/** Answers to a message that change nothing. */
const ANSWERS = new Set(['ack', 'refused', 'hinted', 'checked'])
const QUIET = 20_000
const PATIENCE = 8_000
const LONGEST_WAIT = 10_000

export class Live {
  link = $state<Link>('connecting')
  table = $state.raw<TableInfo | null>(null)
  seat = $state<number | null>(null)
  here = $state.raw<number[]>([])
  watching = $state(0)
  /** During the pause after a round: the seats that have not pressed on yet. */
  waiting = $state.raw<number[]>([])
  /** When this turn's time is up, on the clock of `performance.now()`. */
  deadline = $state<number | null>(null)
  canWrite = $state(false)
  canArrange = $state(false)
  /** Why the connection was closed, in the server's words. */
  bye = $state.raw<{ code: string; text: string } | null>(null)
  /** The last event seen. */
  seq: number

  #socket: WebSocket | null = null
  #waiting = new Map<string, Waiting>()
  #tries = 0
  #anew = true
  #retry: ReturnType<typeof setTimeout> | undefined
  #pulse: ReturnType<typeof setTimeout> | undefined
  #ids = 0
  #name = Math.random().toString(36).slice(2, 10)

  /** `after`: the event after which everything is told, such as 0 for everything. */
  constructor(
    readonly id: string,
    readonly greeting: () => Greeting,
    readonly onnews: (news: News) => void,
    after = 0,
    readonly openSocket: (address: string) => WebSocket = (address) => new WebSocket(address),
  ) {
    this.seq = after
  }

  /** Connect; the function returned ends it. */
  open(): () => void {
    this.#connect()
    const wake = () => this.#wake()
    addEventListener('online', wake)
    addEventListener('pageshow', wake)
    addEventListener('visibilitychange', wake, true)
    return () => {
      removeEventListener('online', wake)
      removeEventListener('pageshow', wake)
      removeEventListener('visibilitychange', wake, true)
      this.#end()
    }
  }

  /** Send a request. It is carried out once, also when the connection breaks meanwhile. */
  ask(wish: Wish): Promise<Reply> {
    const id = `${this.#name}-${(this.#ids += 1)}`
    const text = JSON.stringify({ ...wish, id, ...(TOLD_WITH_SEQ.has(wish.type) ? { seq: this.seq } : {}) })
    return new Promise((answer) => {
      if (this.link === 'closed') {
        answer(refusal(this.bye?.code ?? 'closed', this.bye?.text ?? '', this.seq))
        return
      }
      this.#waiting.set(id, { text, answer })
      if (this.link === 'open') this.#socket?.send(text)
    })
  }

  /** Greet again: with another language, or as somebody who has sat down meanwhile. */
  greetAgain(after = this.seq): void {
    this.#anew = after !== this.seq
    this.seq = after
    this.bye = null
    this.#drop()
    this.#connect()
  }

  #connect(): void {
    clearTimeout(this.#retry)
    if (this.link !== 'lost') this.link = 'connecting'
    const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/${this.id}`
    const socket = this.openSocket(address)
    this.#socket = socket
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', after: this.seq, pauses: true, ...this.greeting() }))
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(message.data)) as Answer)
    }
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose()
    }
    this.#watch(PATIENCE)
  }

  /** Without a sign of life for so long the connection is taken for dead. */
  #watch(patience: number): void {
    clearTimeout(this.#pulse)
    this.#pulse = setTimeout(() => {
      if (this.link !== 'open' || patience < QUIET) this.#lose()
      else this.#probe()
    }, patience)
  }

  #probe(): void {
    this.#socket?.send(JSON.stringify({ type: 'ping', id: `${this.#name}-${(this.#ids += 1)}` }))
    this.#watch(PATIENCE)
  }

  #wake(): void {
    if (this.link === 'lost') {
      this.#tries = 0
      this.#drop()
      this.#connect()
    } else if (this.link === 'open' && document.visibilityState === 'visible') {
      this.#probe()
    }
  }

  #lose(): void {
    this.#drop()
    if (this.link === 'closed') return
    this.link = 'lost'
    const wait = Math.min(LONGEST_WAIT, 400 * 2 ** this.#tries) * (0.75 + Math.random() / 2)
    this.#tries += 1
    this.#retry = setTimeout(() => this.#connect(), wait)
  }

  #drop(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#pulse)
    const socket = this.#socket
    this.#socket = null
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  #end(): void {
    this.#drop()
    this.link = 'closed'
    for (const { answer } of this.#waiting.values()) {
      answer(refusal(this.bye?.code ?? 'closed', this.bye?.text ?? '', this.seq))
    }
    this.#waiting.clear()
  }

  #hear(message: Answer): void {
    this.#watch(QUIET)
    if (message.type === 'welcome') this.#welcome(message)
    else if (message.type === 'update') this.#update(message)
    else if (message.type === 'presence') [this.here, this.watching] = [message.here, message.watching]
    else if (message.type === 'paused') this.#pause(message)
    else if (message.type === 'bye') this.#leave(message.code, message.text)
    if (ANSWERS.has(message.type)) this.#answer(message as Reply)
  }

  #welcome(message: Welcome): void {
    const anew = this.#anew
    this.#anew = false
    this.#tries = 0
    this.link = 'open'
    this.bye = null
    this.table = message.table
    this.seat = message.seat ?? null
    this.here = message.here ?? []
    this.watching = message.watching ?? 0
    this.waiting = message.waiting ?? []
    this.canWrite = message.can_write ?? false
    this.canArrange = message.can_arrange ?? false
    this.#setClock(message.clock)
    const events = message.events.filter((event) => event.seq > this.seq)
    this.seq = message.seq
    this.onnews({ events, view: asView(message.view), anew, pause: this.waiting.length > 0 })
    for (const { text } of this.#waiting.values()) this.#socket?.send(text)
  }

  #update(message: Update): void {
    const events = message.events.filter((event) => event.seq > this.seq)
    if (events[0] && events[0].seq > this.seq + 1) {
      // Something is missing in between: ask for all of it.
      this.#drop()
      this.#connect()
      return
    }
    if (events.length > 0) {
      this.seq = message.seq
      if (message.table) this.table = message.table
      for (const event of events) this.#follow(event)
      this.#setClock(message.clock)
      const pause = (message.waiting ?? []).length > 0
      if (pause) this.waiting = message.waiting ?? []
      this.onnews({ events, view: asView(message.view), anew: false, pause })
    }
    this.#answer(message)
  }

  #pause(message: Paused): void {
    this.waiting = message.waiting ?? []
    this.#setClock(message.clock)
    this.onnews({ events: [], view: null, anew: false })
  }

  /** Where the reader sits now. */
  #follow(event: Happened): void {
    if (event.type === 'took_seat' && event.left === this.seat) this.seat = event.seat
    if (event.type === 'left' && event.seat === this.seat) this.seat = null
  }

  #setClock(seconds: number | null | undefined): void {
    this.deadline = seconds === null || seconds === undefined ? null : performance.now() + seconds * 1000
  }

  #leave(code: string, text: string): void {
    this.bye = { code, text }
    if (FINAL.has(code)) this.#end()
  }

  #answer(message: Reply): void {
    if (!message.re) return
    this.#waiting.get(message.re)?.answer(message)
    this.#waiting.delete(message.re)
  }
}

function asView(view: Record<string, unknown> | null | undefined): View | null {
  return (view as View | null | undefined) ?? null
}

function refusal(code: string, text: string, seq: number): Refused {
  return { type: 'refused', code, text, seq }
}
