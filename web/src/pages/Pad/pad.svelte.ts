import { lang } from '~/lib/i18n.svelte'
import { Live } from '~/lib/live.svelte'
import { keyOf, tokenOf } from '~/lib/mine'
import type { Entry, PadForm, PadView } from './types'

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
  formOf(index: number): PadForm {
    const view = this.view!
    const fields = view.forms[view.entry_forms[index]!]!
    const order = view.form?.order ?? view.players.map((_, seat) => seat)
    return { title: view.entry_texts[index] ?? '', seat: 0, order, reckon: null, counts: view.form?.counts, fields }
  }
}

/** The rule's number stands at the end of the server's sentence; it is shown apart. */
function withoutRule(text: string, rule: string | null): string {
  return rule && text.endsWith(`[${rule}]`) ? text.slice(0, -rule.length - 2).trimEnd() : text
}
