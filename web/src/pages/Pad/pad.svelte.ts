import { gameTexts } from '~/lib/api'
import { lang } from '~/lib/i18n.svelte'
import { Live } from '~/lib/live.svelte'
import { keyOf, tokenOf } from '~/lib/mine'
import type { Entry, PadField, PadForm, PadView } from './types'

/** Why the server did not write something. */
export interface Refusal {
  text: string
  rule: string | null
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

  /** Write an entry, or put it in the place of another. Null if it was written. */
  async enter(entry: Entry, index: number | null = null): Promise<Refusal | null> {
    return this.#send({ type: 'enter', entry, index })
  }

  async wipe(): Promise<Refusal | null> {
    return this.#send({ type: 'wipe' })
  }

  async #send(wish: Parameters<Live['ask']>[0]): Promise<Refusal | null> {
    this.busy = true
    const reply = await this.live.ask(wish)
    this.busy = false
    if (reply.type !== 'refused') return null
    if (reply.view) this.view = reply.view as unknown as PadView
    return { text: withoutRule(reply.text, reply.rule ?? null), rule: reply.rule ?? null }
  }

  /** The form that an entry filled in. */
  async formOf(index: number): Promise<PadForm> {
    const view = this.view!
    const fields = view.forms?.[view.entry_forms?.[index] ?? -1]
    const order = view.form?.order ?? view.players.map((_, seat) => seat)
    const counts = view.form?.counts
    const form = { title: view.entry_texts[index] ?? '', seat: 0, order, reckon: null, counts }
    return { ...form, fields: fields ?? (await this.#likeness(view, index)) }
  }

  /** The fields of an entry as far as the sheet itself tells: those of the same name, and the game's labels. */
  async #likeness(view: PadView, index: number): Promise<PadField[]> {
    const { texts } = await gameTexts(view.game)
    const labels = (texts.pad as { fields?: Record<string, string> } | undefined)?.fields ?? {}
    return Object.entries(view.entries[index]!).map(([name, value]) => {
      const known = view.form?.fields.find((field) => field.name === name)
      if (known) return known
      const one = Array.isArray(value) ? value[0] : value
      const kind = typeof one === 'boolean' ? 'flag' : 'int'
      const label = labels[name] ?? name
      return { name, label, rule: '', kind, each: Array.isArray(value), default: null, low: 0, high: 1000, step: 1 }
    })
  }
}

/** The rule's number stands at the end of the server's sentence; it is shown apart. */
function withoutRule(text: string, rule: string | null): string {
  return rule && text.endsWith(`[${rule}]`) ? text.slice(0, -rule.length - 2).trimEnd() : text
}
