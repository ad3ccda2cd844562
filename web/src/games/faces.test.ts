/** All that reads as text in a card's face is part of the card's name, for every card and in both languages. */

import type { Component } from 'svelte'
import { render } from 'svelte/server'
import { beforeAll, expect, test, vi } from 'vitest'
import { lang, loadArea, setLang, type Lang } from '~/lib/i18n.svelte'

/** The cards of each game, as views write them, its names for them, and how a face is drawn. */
interface Deck {
  cards: string[]
  name: (card: string) => string
  Face: Component<any>
  props: (card: string) => Record<string, unknown>
}

/** Milliseconds: all cards of all games are drawn. */
const SLOW = 60_000

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

async function decks(): Promise<Record<string, Deck>> {
  const [loba, lobo, skipbo, lucky, lotte] = await Promise.all([
    import('./loba/names'),
    import('./lobo77/words'),
    import('./skipbo/words'),
    import('./double_lucky_7/names'),
    import('./volle_lotte/words'),
  ])
  const { RANKS, SUITS } = await import('./loba/types')
  const { COLOURS } = await import('./double_lucky_7/types')
  return {
    loba: {
      cards: [...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)), '*'],
      name: loba.cardName,
      Face: (await import('./loba/Face.svelte')).default,
      props: (face) => ({ face }),
    },
    lobo77: {
      cards: ['-10', '0', ...range(2, 10), ...range(1, 6).map((n) => n + n), '76', '2x', 'rev'],
      name: lobo.cardName,
      Face: (await import('./lobo77/LoboCard.svelte')).default,
      props: (card) => ({ card }),
    },
    skipbo: {
      cards: [...range(1, 12), '*'],
      name: skipbo.cardName,
      Face: (await import('./skipbo/SkipCard.svelte')).default,
      props: (card) => ({ card }),
    },
    double_lucky_7: {
      cards: [...COLOURS.flatMap((colour) => range(1, 14).map((n) => colour + n)), 'joker'],
      name: lucky.cardName,
      Face: (await import('./double_lucky_7/Face.svelte')).default,
      props: (face) => ({ face }),
    },
    volle_lotte: {
      cards: [
        ...['stop', 'fireworks', 'double', 'plusminus', 'straight', 'clover'],
        ...range(2, 6).map((n) => `bonus ${n}00`),
      ],
      name: lotte.cardName,
      Face: (await import('./volle_lotte/CardFace.svelte')).default,
      props: (kind) => ({ kind }),
    },
  }
}

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: {} })
})

/** Texts of a piece of markup, without tags and comments. */
function textsOf(html: string): string[] {
  const plain = html.replace(/<!--.*?-->/g, '').replace(/<title>.*?<\/title>/g, '')
  return plain.split(/<[^>]*>/).flatMap((text) => text.trim() || [])
}

test.each(['en', 'fr'] as Lang[])('what is written on a card is in its name: %s', async (language) => {
  const all = await decks()
  await setLang(language)
  await Promise.all(Object.keys(all).map(loadArea))
  expect(lang()).toBe(language)
  for (const [game, { cards, name, Face, props }] of Object.entries(all)) {
    const names = cards.map(name)
    expect(new Set(names).size, `${game}: every card has a name of its own`).toBe(cards.length)
    for (const [i, card] of cards.entries()) {
      const { body } = render(Face, { props: props(card) })
      expect(body, `${game} ${card}`).toContain('<')
      for (const text of textsOf(body)) {
        expect(names[i]!.toLowerCase(), `${game} ${card} shows ${text}`).toContain(text.toLowerCase())
      }
    }
  }
}, SLOW)
