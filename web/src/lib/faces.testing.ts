/** For tests: all that reads as text in a card's face is part of the card's name, for every card, in both languages. */

import type { Component } from 'svelte'
import { render } from 'svelte/server'
import { expect, test, vi } from 'vitest'
import { loadArea, setLang, type Lang } from '~/lib/i18n.svelte'

/** All cards of a game, as views write them; its names for them; and how a face is drawn. */
interface Deck {
  cards: string[]
  name: (card: string) => string
  Face: Component<any>
  props: (card: string) => Record<string, unknown>
}

/** Milliseconds: every card is drawn. */
const SLOW = 60_000

export const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

/** Texts of a piece of markup, without tags and comments. */
function textsOf(html: string): string[] {
  return html
    .replace(/<!--.*?-->/g, '')
    .split(/<[^>]*>/)
    .flatMap((text) => text.trim() || [])
}

export function testFaces(game: string, { cards, name, Face, props }: Deck): void {
  const check = async (language: Lang) => {
    vi.stubGlobal('document', { documentElement: {} })
    await setLang(language)
    await loadArea(game)
    const names = cards.map(name)
    expect(new Set(names).size, 'every card has a name of its own').toBe(cards.length)
    for (const [i, card] of cards.entries()) {
      const { body } = render(Face, { props: props(card) })
      expect(body, card).toContain('<svg')
      for (const text of textsOf(body)) {
        expect(names[i]!.toLowerCase(), `${card} shows ${text}`).toContain(text.toLowerCase())
      }
    }
  }
  test.each(['en', 'fr'] as Lang[])('what is written on a card is in its name: %s', check, SLOW)
}
