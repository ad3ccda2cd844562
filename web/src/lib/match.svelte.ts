/** A match at a table as its screen sees it: events are played as movement, one after the other, then the new view. */

import { t } from '~/lib/i18n.svelte'
import { Intermission } from '~/lib/intermission.svelte'
import { Live, type Greeting, type News, type Reply, type Wish } from '~/lib/live.svelte'
import type { Bubble, GameEvent, GameScreen, Moment, Play, Sitter, View } from '~/lib/play'
import { pace } from '~/lib/prefs.svelte'
import type { Advice, Happened, Reaction } from '~/lib/protocol'
import { play as sound } from '~/lib/sound'
import { fly } from '~/lib/stage.svelte'

/** A line of the log. */
export interface Line {
  key: string
  kind: 'move' | 'said' | 'reacted' | 'note'
  seat: number | null
  /** Who said it. */
  name?: string
  text: string
  /** The reaction that is drawn beside it. */
  mark?: Reaction
}

/** Something to tell the reader, with the rule behind it if there is one. */
export interface Notice {
  text: string
  rule: string | null
}

interface Step {
  event: Happened
  view: View | null
  /** Shown as it is, without movement. */
  still: boolean
  /** Whether a pause follows the round that it closes. */
  pause: boolean
}

const RECENT = 12
const LOG = 400
const BUBBLE = 5000
/** How long a move of somebody else stays before the next one, even if nothing flies. */
const BEAT = 420
const END_OF_ROUND = 1600
/** How long a moment that nobody should miss is held up, and how long its words stay. */
const [MOMENT, MOMENT_STAYS] = [1500, 2600]
/** How much faster whoever is out may watch. */
const FASTER = 4
/** No movement may hold up the table for longer. */
const LONGEST = 4000
/** With so many moves waiting, things go faster; with more, at once. */
const [SOME, MANY] = [2, 6]

export class Match implements Play {
  readonly live: Live
  readonly intermission: Intermission
  /** The game's own screen; movement needs it. */
  screen: GameScreen | null = null
  /** The first match of its game on this device. */
  isFirst = false

  lines = $state.raw<Line[]>([])
  recent = $state.raw<GameEvent[]>([])
  /** Sentences for the announcer, newest last. */
  spoken = $state.raw<{ key: string; text: string }[]>([])
  notice = $state.raw<Notice | null>(null)
  advice = $state.raw<Advice[]>([])
  /** Why the first of them is good. */
  reason = $state('')
  thinking = $state(false)
  hinted = $state<string | null>(null)
  moment = $state.raw<Moment | null>(null)
  /** How whoever is out wants to see the rest. */
  haste = $state<'faster' | 'end' | null>(null)

  #view = $state.raw<View | null>(null)
  #showing = $state(false)
  #pending = $state(false)
  #bubbles = $state.raw<Record<number, Bubble | null>>({})
  #queue: Step[] = []
  #spokenCount = 0
  /** Counts how often everything was told from scratch: what was being shown then is out of date. */
  #tellings = 0
  /** Who sat where, to say who has left. */
  #sat: string[] = []

  constructor(id: string, greeting: () => Greeting, after = 0) {
    this.live = new Live(id, greeting, (news) => this.#take(news), after)
    this.intermission = new Intermission(this.live)
  }

  /** Whether there is anything to show; before that `view` must not be read. */
  get ready(): boolean {
    return this.#view !== null
  }

  get view(): View {
    if (!this.#view) throw new Error('the match has not begun')
    return this.#view
  }

  get seat(): number | null {
    return this.live.seat
  }

  readonly #sitters: Sitter[] = $derived.by(() =>
    (this.live.table?.seats ?? []).map((seat, number) => ({
      name: seat.name ?? '',
      avatar: seat.avatar,
      bot: seat.level ?? null,
      person: seat.kind === 'person',
      here: seat.kind !== 'person' || this.live.here.includes(number),
      bubble: this.#bubbles[number] ?? null,
    })),
  )
  readonly #names: string[] = $derived.by(() => (this.live.table?.seats ?? []).map((seat) => seat.name ?? ''))

  get sitters(): Sitter[] {
    return this.#sitters
  }

  get names(): string[] {
    return this.#names
  }

  get options(): Record<string, unknown> {
    return this.live.table?.options ?? {}
  }

  get canPlay(): boolean {
    const open = this.live.link === 'open' && !this.#showing && !this.#pending && !this.intermission.isOn
    return open && this.#view !== null && this.#view.legal.length > 0
  }

  /** Whether the table waits for the reader. */
  get isMyTurn(): boolean {
    return this.#view !== null && !this.#view.over && this.seat !== null && this.#view.actor === this.seat
  }

  /** Whether the reader is out of a match that goes on. */
  get isOut(): boolean {
    return this.seat !== null && this.#view !== null && !this.#view.over && this.#isOut(this.seat)
  }

  /** Whether only bots are left to play. */
  get isLeftToBots(): boolean {
    return this.#sitters.every((sitter, seat) => !sitter.person || this.#isOut(seat))
  }

  #isOut(seat: number): boolean {
    const out = this.#view?.table.out
    return Array.isArray(out) && out.includes(seat)
  }

  /** See the rest faster, or only how it ends. */
  async hasten(haste: 'faster' | 'end'): Promise<void> {
    const reply = await this.ask({ type: 'hasten', to_the_end: haste === 'end' })
    if (reply.type === 'ack') this.haste = haste
    this.intermission.pressOn()
  }

  /** Whether moves can be taken back: one person against bots. */
  get canUndo(): boolean {
    const people = this.#sitters.filter((one) => one.person).length
    const open = this.live.link === 'open' && !this.#pending
    return open && this.seat !== null && people === 1 && this.#view !== null && !this.#view.over && this.#view.ply > 0
  }

  play(move: string): void {
    if (!this.canPlay) return
    this.#pending = true
    this.notice = null
    void this.ask({ type: 'move', move }).then(() => (this.#pending = false))
  }

  why(move: string): void {
    void this.ask({ type: 'why', move })
  }

  /** Send a request; what is refused becomes a notice. */
  async ask(wish: Wish): Promise<Reply> {
    const reply = await this.live.ask(wish)
    if (reply.type === 'refused') this.tell(reply.text, reply.rule ?? null)
    return reply
  }

  undo(): void {
    if (!this.canUndo) return
    this.#pending = true
    void this.ask({ type: 'undo' }).then(() => (this.#pending = false))
  }

  /** Ask the expert; the best move glows. */
  async hint(): Promise<void> {
    if (this.thinking) return
    this.thinking = true
    this.notice = null
    const reply = await this.ask({ type: 'hint' })
    this.thinking = false
    if (reply.type !== 'hinted' || reply.moves.length === 0) return
    this.advice = reply.moves
    this.reason = reply.reason
    const best = reply.moves[0]!
    this.hinted = best.move
    this.announce(`${t('table.hint_said', { move: best.label })} ${reply.reason}`.trim())
  }

  forgetHint(): void {
    this.advice = []
    this.reason = ''
    this.hinted = null
  }

  tell(text: string, rule: string | null = null): void {
    // The rule's number stands at the end of the sentence; it becomes a link of its own.
    const plain = rule && text.endsWith(`[${rule}]`) ? text.slice(0, -rule.length - 2).trimEnd() : text
    this.notice = { text: plain, rule }
    this.announce(plain)
  }

  announce(text: string): void {
    this.#spokenCount += 1
    this.spoken = [...this.spoken.slice(-7), { key: `s${this.#spokenCount}`, text }]
  }

  #take(news: News): void {
    this.intermission.look()
    const moves = news.events.filter((event) => event.type === 'moved' || event.type === 'started').length
    const last = news.view?.rounds.at(-1)
    // Whoever comes back into a pause is shown it too.
    if (news.pause && last && (news.anew || moves !== 1)) void this.intermission.hold(last, this.haste !== null)
    if (news.anew) {
      this.#tellings += 1
      this.#queue = []
      this.lines = []
      this.recent = []
      for (const event of news.events) this.#write(event, false)
      this.#show(news.view)
      return
    }
    news.events.forEach((event, i) => {
      const last = i === news.events.length - 1
      this.#queue.push({ event, view: last ? news.view : null, still: moves > 1, pause: last && news.pause === true })
    })
    if (news.events.length === 0 && news.view) this.#show(news.view)
    void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#showing) return
    this.#showing = true
    for (let step = this.#queue.shift(); step; step = this.#queue.shift()) {
      const tellings = this.#tellings
      const show = () => {
        if (tellings === this.#tellings) this.#show(step.view)
      }
      try {
        await this.#step(step, show)
      } catch (error) {
        console.error(error)
        show()
      }
    }
    this.#showing = false
  }

  #speed(): number {
    const waiting = this.#queue.length
    if (document.hidden || waiting > MANY || this.haste === 'end') return Infinity
    return pace(this.isFirst) * (this.haste ? FASTER : 1) * (waiting > SOME ? 4 : waiting > 0 ? 1.6 : 1)
  }

  async #step({ event, still, pause }: Step, show: () => void): Promise<void> {
    const { type } = event
    if (type === 'moved' || type === 'started') {
      const seen = (event.seen ?? []) as GameEvent[]
      const shown = performance.now()
      const isOthers = type === 'moved' && event.seat !== this.seat
      const isDealt = seen.some((one) => one.type === 'deal')
      for (const [i, one] of seen.entries()) {
        this.#writeMove(one, `${event.seq}.${i}`)
        this.recent = [...this.recent.slice(1 - RECENT), one]
        if (still) continue
        await this.#move(one)
        await this.#holdUp(one)
        if (one.type !== 'round_end') continue
        // The end of a round stays in sight before the next deal: until people press on, or at least for a while.
        if (pause) await this.intermission.hold(one, this.haste !== null)
        else if (isDealt) await this.#wait(END_OF_ROUND / this.#speed())
      }
      show()
      if (isOthers && !still) await this.#wait(BEAT / this.#speed() - (performance.now() - shown))
      return
    }
    this.#write(event, true)
    show()
    if (type === 'rematched') [this.#view, this.recent, this.haste] = [null, [], null]
  }

  /** Show what nobody should miss. Without movement its words stay as long, and the table goes on. */
  async #holdUp(event: GameEvent): Promise<void> {
    const moment = this.screen?.moment?.(event, this.#names) ?? null
    if (!moment || this.haste === 'end') return
    this.moment = moment
    if (moment.text !== event.text) this.announce(moment.text)
    setTimeout(() => {
      if (this.moment === moment) this.moment = null
    }, MOMENT_STAYS)
    await this.#wait(MOMENT / this.#speed())
  }

  async #wait(time: number): Promise<void> {
    if (time > 0) await new Promise((done) => setTimeout(done, time))
  }

  async #move(event: GameEvent): Promise<void> {
    const speed = this.#speed()
    if (!this.screen || !this.#view) return
    const flights = this.screen.flights(event, this.#view, this.seat)
    const cue = this.screen.cue?.(event) ?? (flights.length > 0 ? 'card' : null)
    if (cue) sound(cue)
    if (flights.length === 0 || speed === Infinity) return
    const late = new Promise<void>((done) => setTimeout(done, LONGEST / speed))
    await Promise.race([fly(flights, this.screen.Face, speed), late])
  }

  #show(view: View | null): void {
    if (!view) return
    if (view.ply !== this.#view?.ply) this.forgetHint()
    this.#view = view
  }

  #writeMove(event: GameEvent, key: string): void {
    if (!event.text) return
    this.#add({ key, kind: 'move', seat: event.seat ?? null, text: event.text })
    this.announce(event.text)
  }

  #add(line: Line): void {
    this.lines = [...this.lines.slice(1 - LOG), line]
  }

  /** Write an event into the log; as news it is spoken and shown at the seat too. */
  #write(event: Happened, news: boolean): void {
    const key = String(event.seq)
    if (event.type === 'moved' || event.type === 'started') {
      const seen = (event.seen ?? []) as GameEvent[]
      for (const [i, one] of seen.entries()) {
        if (one.text) this.#add({ key: `${key}.${i}`, kind: 'move', seat: one.seat ?? null, text: one.text })
      }
      this.recent = [...this.recent, ...seen].slice(-RECENT)
      return
    }
    if (event.type === 'said' || event.type === 'reacted') {
      const name = event.seat === null || event.seat === undefined ? t('table.spectator') : event.name
      const mark = event.type === 'reacted' ? (event.mark as Reaction) : undefined
      const text = event.type === 'said' ? event.text : t('table.reacts', { name, mark: t(`table.mark_${mark}`) })
      this.#add({ key, kind: event.type, seat: event.seat ?? null, name, text, mark })
      if (news) {
        if (event.seat !== this.seat) sound('message')
        this.announce(mark ? text : t('table.says', { name, text }))
        if (typeof event.seat === 'number') this.#bubble(event.seat, { text, mark })
      }
      return
    }
    const text = this.#note(event)
    this.#remember(event)
    if (!text) return
    this.#add({ key, kind: 'note', seat: null, text })
    if (news) this.announce(text)
  }

  #note(event: Happened): string {
    const name = 'seat' in event && typeof event.seat === 'number' ? (this.#names[event.seat] ?? '') : ''
    switch (event.type) {
      case 'seated':
        return t('table.log_seated', { name: event.name })
      case 'bot_seated':
        return t('table.log_seated', { name: event.name })
      case 'left': {
        const gone = this.#sat[event.seat] ?? t('table.somebody')
        return t(event.name ? 'table.log_left_bot' : 'table.log_left', { name: gone, bot: event.name })
      }
      case 'took_seat':
        return t('table.log_took_seat', { name })
      case 'arranged':
        return t('table.log_arranged')
      case 'undone':
        return t('table.log_undone', { name })
      case 'stood_in':
        return t('table.log_stood_in', { name })
      case 'returned':
        return t('table.log_returned', { name })
      case 'rematched':
        return t('table.log_rematched')
      default:
        return ''
    }
  }

  #remember(event: Happened): void {
    if (event.type === 'seated' || event.type === 'bot_seated') this.#sat[event.seat] = event.name
    if (event.type === 'left' && event.name) this.#sat[event.seat] = event.name
    if (event.type !== 'took_seat') return
    const { seat, left } = event
    ;[this.#sat[seat], this.#sat[left]] = [this.#sat[left] ?? '', this.#sat[seat] ?? '']
  }

  #bubble(seat: number, bubble: Bubble): void {
    this.#bubbles = { ...this.#bubbles, [seat]: bubble }
    setTimeout(() => {
      if (this.#bubbles[seat] === bubble) this.#bubbles = { ...this.#bubbles, [seat]: null }
    }, BUBBLE)
  }
}
