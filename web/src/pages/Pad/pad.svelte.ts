import { lang } from '~/lib/i18n.svelte'
import { Live } from '~/lib/live.svelte'
import { keyOf, tokenOf } from '~/lib/mine'
import type { Checked } from '~/lib/protocol'
import type { Entry, PadForm, PadView } from './types'

/** Why the server did not write something. */
export interface Refusal {
  text: string
  rule: string | null
  /** The field that it is about, and whose values. */
  field?: string
  seats?: number[]
  /** It can be, but hardly is: the key with which that is confirmed. */
  question?: string
}

/** Where an entry goes: in the place of another, or before it. */
export interface Place {
  index: number
  insert?: boolean
}

/** A score pad that several devices may write on at the same time. */
export class SharedPad {
  readonly live: Live
  view = $state.raw<PadView | null>(null)
  /** Whether something is on its way to the server. */
  busy = $state(false)

  constructor(readonly id: string) {
    const greeting = () => ({ lang: lang(), key: keyOf(id) ?? null, token: tokenOf(id) ?? null })
    this.live = new Live(id, greeting, (news) => {
      if (news.view) this.view = news.view as unknown as PadView
    })
  }

  /** Write an entry, at its place or as the next. Null if it was written. */
  async enter(entry: Entry, place?: Place, confirmed: string[] = []): Promise<Refusal | null> {
    return this.#send({ type: 'enter', entry, index: place?.index ?? null, insert: place?.insert, confirmed })
  }

  /** Remove an entry, the last one if none is named. */
  async wipe(index: number | null = null): Promise<Refusal | null> {
    return this.#send({ type: 'wipe', index })
  }

  async reorder(index: number, to: number): Promise<Refusal | null> {
    return this.#send({ type: 'reorder', index, to })
  }

  async rename(names: string[]): Promise<Refusal | null> {
    return this.#send({ type: 'rename', names })
  }

  /** What the server says of an entry that is not written yet. */
  async check(entry: Entry, place?: Place): Promise<Checked | null> {
    const reply = await this.live.ask({ type: 'check', entry, index: place?.index ?? null })
    return reply.type === 'checked' ? reply : null
  }

  async #send(wish: Parameters<Live['ask']>[0]): Promise<Refusal | null> {
    this.busy = true
    const reply = await this.live.ask(wish)
    this.busy = false
    if (reply.type !== 'refused') return null
    if (reply.view) this.view = reply.view as unknown as PadView
    const { text, rule = null, field, seats, question } = reply
    return { text, rule, field: field ?? undefined, seats, question: question ?? undefined }
  }

  /** The form that an entry filled in. */
  formOf(index: number): PadForm {
    const view = this.view!
    const fields = view.forms[view.entry_forms[index]!]!
    const order = view.form?.order ?? view.players.map((_, seat) => seat)
    return { title: view.entry_titles[index] ?? '', seat: 0, order, reckon: null, counts: view.form?.counts, fields }
  }
}

/** The rule's number stands at the end of the server's sentence; it is shown apart. */
export function withoutRule(text: string, rule: string | null): string {
  return rule && text.endsWith(`[${rule}]`) ? text.slice(0, -rule.length - 2).trimEnd() : text
}
