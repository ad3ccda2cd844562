/** What a language asks of a sentence once its holes are filled: plural forms, and elision in French. */

export type Lang = 'fr' | 'en'

const RULES = { fr: new Intl.PluralRules('fr'), en: new Intl.PluralRules('en') }

/** Before a hole: a word that loses its vowel before another one. */
export const ELIDED = String.raw`(?:(^|[\s(«])((?:jusqu|lorsqu|puisqu|qu|[dljmnst])e|la) )?`

/** How names begin whose h is silent. Any other h keeps words apart, as in names from elsewhere. */
const MUTE_H =
  /^(?:hadrien|hector|hedwig|hel[eio]|henri|hercul|hermes|hermi|herve|hilaire|hippoly|homere|honor|horace|hortens|hub|hug|hyacint|hypat)/
/** Vowels that are none for the word before: oui, onze, Yann. */
const GLIDE = /^(?:ou[aeiouy]|onz|y(?:[aeiouy]|$))/

/** Whether a number takes the singular. */
export function isOne(n: number, language: Lang): boolean {
  return RULES[language].select(n) === 'one'
}

/** Whether French elides before a word or a name. */
export function beginsWithVowel(word: string): boolean {
  const start = word.slice(0, 12).replace(/œ/gi, 'oe').replace(/æ/gi, 'ae').normalize('NFD')
  const plain = start.replace(/\p{M}/gu, '').toLowerCase()
  return /^[a-z]\p{L}/u.test(plain) && !GLIDE.test(plain) && (/^[aeiouy]/.test(plain) || MUTE_H.test(plain))
}

/** A word and what follows it: “de ” and “Ana” are “d’Ana”. */
export function join(word: string, next: string, language: Lang): string {
  return language === 'fr' && beginsWithVowel(next) ? `${word.slice(0, -1)}’${next}` : `${word} ${next}`
}
