/** A guided first match: the same to a screen as a match in play. Whoever plays wrong is told why, and nothing changes. */

import { lessonOf, lessonWhy, Problem } from '~/lib/api'
import { finish, keepPlace, placeIn } from '~/lib/lessons'
import type { GameEvent, GameScreen, Play, Sitter, View } from '~/lib/play'
import { pace, prefs } from '~/lib/prefs.svelte'
import type { Lesson, LessonStep } from '~/lib/protocol'
import { fly } from '~/lib/stage.svelte'

const RECENT = 12
/** How long a move without words stays before the next one, in milliseconds. */
const BEAT = 700

/** What the page does: it shows a move, waits for the learner's, or waits until its words were read. */
type Phase = 'moving' | 'asking' | 'telling'

export class Teaching implements Play {
  at = $state(0)
  phase = $state<Phase>('moving')
  /** What was wrong with the last try, and the rule behind it. */
  wrong = $state.raw<{ text: string; rule: string | null } | null>(null)
  hinted = $state<string | null>(null)
  /** Sentences of what happens, for those who listen; newest last. */
  spoken = $state.raw<{ key: number; text: string }[]>([])

  #lesson = $state.raw<Lesson>() as Lesson
  #view = $state.raw<View>() as View
  #moves: string[]
  /** Counts what was begun: what an older task still wants to show is out of date. */
  #task = 0

  private constructor(
    readonly screen: GameScreen,
    lesson: Lesson,
    moves: string[],
    step: number,
  ) {
    this.#lesson = lesson
    this.#moves = moves
    this.#enter(Math.max(0, Math.min(step, lesson.steps.length - 1)))
  }

  /** Begin the guided match of a game, or go on where it was left. */
  static async open(game: string, screen: GameScreen): Promise<Teaching> {
    const place = placeIn(game) ?? { step: 0, moves: [] }
    const lesson = await lessonOf(game, prefs.name, place.moves)
    return new Teaching(screen, lesson, place.moves, place.step)
  }

  get game(): string {
    return this.#lesson.game
  }

  get step(): LessonStep {
    return this.#lesson.steps[this.at]!
  }

  get isLast(): boolean {
    return this.at === this.#lesson.steps.length - 1
  }

  /** How many moves the learner is asked for, and how many of them are done. */
  readonly asked: number = $derived.by(() => this.#lesson.steps.filter(({ wanted }) => wanted?.length).length)
  readonly done: number = $derived.by(() => {
    const isDone = this.phase === 'telling' ? this.at + 1 : this.at
    return this.#lesson.steps.slice(0, isDone).filter(({ wanted }) => wanted?.length).length
  })

  get text(): string {
    if (this.phase === 'asking') return this.step.ask ?? ''
    return this.phase === 'telling' ? (this.step.wanted?.length ? this.step.good : this.step.say) ?? '' : ''
  }

  get view(): View {
    return this.#view
  }

  get seat(): number {
    return this.#lesson.seat
  }

  get names(): string[] {
    return this.#lesson.names
  }

  readonly sitters: Sitter[] = $derived.by(() =>
    this.#lesson.names.map((name, seat) => {
      const person = seat === this.#lesson.seat
      return { name, avatar: person ? prefs.avatar : '', bot: null, person, here: true, bubble: null }
    }),
  )

  readonly recent: GameEvent[] = $derived.by(() => {
    const shown = this.phase === 'telling' ? this.at + 1 : this.at
    return this.#lesson.steps.slice(0, shown).flatMap(({ seen }) => (seen ?? []) as GameEvent[]).slice(-RECENT)
  })

  get options(): Record<string, unknown> {
    return this.#lesson.options
  }

  get canPlay(): boolean {
    return this.phase === 'asking'
  }

  play(move: string): void {
    if (!this.canPlay) return
    const { wanted = [], wrong = {}, other = '' } = this.step
    if (wanted.includes(move)) void this.#answer(move)
    else {
      const text = wrong[move] ?? other
      this.wrong = { text, rule: null }
      this.#say(text)
    }
  }

  why(move: string): void {
    if (!this.canPlay) return
    const task = this.#task
    lessonWhy(this.game, this.at, move, this.#moves).then(
      ({ text, rule }) => {
        if (task !== this.#task) return
        this.wrong = { text, rule: rule ?? null }
        this.#say(text)
      },
      (problem: unknown) => {
        if (task === this.#task && problem instanceof Problem) this.wrong = { text: problem.text, rule: null }
      },
    )
  }

  /** Make the move that is wanted glow. */
  show(): void {
    this.hinted = this.step.wanted?.[0] ?? null
  }

  /** The words were read. */
  goOn(): void {
    if (this.phase === 'telling' && !this.isLast) this.#enter(this.at + 1)
  }

  /** Tell everything again, in another language. */
  async tellAgain(): Promise<void> {
    this.#lesson = await lessonOf(this.game, prefs.name, this.#moves)
    this.#view = this.#viewAfter(this.phase === 'telling' ? this.at : this.at - 1)
    this.wrong = null
  }

  restart(): void {
    this.#moves = []
    this.#enter(0)
  }

  #viewAfter(step: number): View {
    const found = this.#lesson.steps.slice(0, step + 1).findLast(({ after }) => after)
    return (found?.after ?? this.#lesson.view) as unknown as View
  }

  #enter(at: number): void {
    this.#task += 1
    this.at = at
    this.#view = this.#viewAfter(at - 1)
    this.wrong = null
    this.hinted = null
    if (this.isLast) finish(this.game)
    else keepPlace(this.game, { step: at, moves: this.#moves })
    if (this.step.wanted?.length) {
      this.phase = 'asking'
      this.#say(this.text)
    } else if (this.step.move) void this.#move()
    else this.#tell()
  }

  async #answer(move: string): Promise<void> {
    this.phase = 'moving'
    const task = (this.#task += 1)
    const before = this.#moves
    this.#moves = [...before, move]
    if (move !== this.step.move) {
      try {
        const lesson = await lessonOf(this.game, prefs.name, this.#moves)
        if (task !== this.#task) return
        this.#lesson = lesson
      } catch (problem) {
        if (task !== this.#task) return
        this.#moves = before
        this.phase = 'asking'
        if (problem instanceof Problem) this.wrong = { text: problem.text, rule: null }
        return
      }
    }
    await this.#move()
  }

  /** Show the step's move, then its words; without any it goes on. */
  async #move(): Promise<void> {
    const task = (this.#task += 1)
    const { step } = this
    this.phase = 'moving'
    this.wrong = null
    this.hinted = null
    const isQuick = pace() === Infinity || document.hidden
    for (const event of (step.seen ?? []) as GameEvent[]) {
      if (event.text) this.#say(event.text)
      const flights = isQuick ? [] : this.screen.flights(event, this.#view, this.seat)
      if (flights.length > 0) await fly(flights, this.screen.Face, pace())
      if (task !== this.#task) return
    }
    this.#view = this.#viewAfter(this.at)
    if (step.wanted?.length ? step.good : step.say) return this.#tell()
    if (!step.wanted?.length && !isQuick) await new Promise((done) => setTimeout(done, BEAT / pace()))
    if (task === this.#task) this.#enter(this.at + 1)
  }

  #tell(): void {
    this.phase = 'telling'
    this.#say(this.text)
  }

  #say(text: string): void {
    this.spoken = [...this.spoken.slice(-7), { key: (this.spoken.at(-1)?.key ?? 0) + 1, text }]
  }
}
