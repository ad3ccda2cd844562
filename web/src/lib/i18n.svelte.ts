/** All words a player reads. `t` reads the language reactively, so a switch redraws everything without a reload. */

import { ELIDED, isOne, join, type Lang } from './grammar'

export type { Lang }
export type Params = Record<string, string | number | null | undefined>

/** A hole, and before it a word that French may elide. */
const HOLE = new RegExp(ELIDED + String.raw`\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}`, 'gi')
const FILES = import.meta.glob<Record<string, string>>(['../texts/*/*.json', '../games/*/texts/*.json'], {
  import: 'default',
})
const texts: Record<Lang, Record<string, string>> = { fr: {}, en: {} }
const areas = new Set<string>()
const loaded = new Map<string, Promise<void>>()

let current = $state<Lang>('en')
let version = $state(0)

/** The language of the reader. */
export function lang(): Lang {
  return current
}

/**
 * The text for `area.key`, with `{name}` replaced by params, and `{n|one|many}` by one of two forms.
 * French words before a param are elided by themselves: `de {name}` becomes “d’Ana”.
 */
export function t(key: string, params: Params = {}): string {
  void version
  const text = texts[current][key]
  return text === undefined ? key : fill(text, params, current)
}

/** Puts params into a text; apart from `t` for texts that come from the server. */
export function fill(text: string, params: Params, language: Lang = current): string {
  return text.replace(HOLE, (whole, space: string, word: string, name: string, one?: string, many?: string) => {
    const value = params[name]
    if (value === undefined || value === null) return whole
    const put = one === undefined ? written(value, language) : isOne(Number(value), language) ? one : (many ?? '')
    return word ? space + join(word, put, language) : put
  })
}

function written(value: string | number, language: Lang): string {
  return typeof value === 'number' ? number(value, language) : value
}

/** A number as it is written in the language. */
export function number(value: number, language: Lang = current): string {
  return value.toLocaleString(language)
}

/** Load an area's texts in the current language; they follow when the language changes. A game's id is an area too. */
export async function loadArea(area: string): Promise<void> {
  areas.add(area)
  await load(area, current)
}

/** Change the language once all texts in use are there in it. */
export async function setLang(next: Lang): Promise<void> {
  await Promise.all([...areas].map((area) => load(area, next)))
  current = next
  document.documentElement.lang = next
}

function load(area: string, language: Lang): Promise<void> {
  const name = `${language} ${area}`
  const known = loaded.get(name)
  if (known) return known
  const loading = (async () => {
    const file = FILES[`../texts/${language}/${area}.json`] ?? FILES[`../games/${area}/texts/${language}.json`]
    const found = (await file?.()) ?? {}
    for (const [key, text] of Object.entries(found)) texts[language][`${area}.${key}`] = text
    version += 1
  })()
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}
