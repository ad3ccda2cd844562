/** What this device remembers of its person: the name, the look, the pace. */

import { setLang, type Lang } from '~/lib/i18n.svelte'

export type Theme = 'auto' | 'light' | 'dark'
export type Speed = 'slow' | 'normal' | 'fast' | 'none'
/** After a round: until one presses on, a few seconds, or not at all. */
export type Pause = 'press' | 'short' | 'none'

export interface Prefs {
  /** Empty until it was asked. */
  name: string
  /** What the avatar is drawn from; empty: the name. */
  avatar: string
  theme: Theme
  speed: Speed
  pause: Pause
  /** Of sounds, from 0 to 100. */
  volume: number
  /** Whether a phone vibrates. */
  haptics: boolean
  /** Whether what happens is spoken aloud. */
  voice: boolean
  /** Whether single letters are commands. */
  keys: boolean
  lang: Lang
  /** The level of bots last chosen. */
  level: string
}

const KEY = 'ludotheque.prefs'
const PACES: Record<Speed, number> = { slow: 0.6, normal: 1, fast: 2, none: Infinity }
export const PAUSES: Pause[] = ['press', 'short', 'none']
const dark = matchMedia('(prefers-color-scheme: dark)')
const still = matchMedia('(prefers-reduced-motion: reduce)')

export const prefs: Prefs = $state(stored())

/** How many times faster than normal the table goes on; Infinity: at once. A first match is calm unless told otherwise. */
export function pace(isFirst = false): number {
  return PACES[isFirst && prefs.speed === 'normal' ? 'slow' : prefs.speed]
}

/** Whether nothing is to move: by choice here, or by the system's settings. */
export function isStill(): boolean {
  return still.matches || prefs.speed === 'none'
}

/** The language of a browser: the first of its languages that we speak. */
export function browserLang(languages: readonly string[] = navigator.languages): Lang {
  for (const one of languages) {
    const code = one.slice(0, 2).toLowerCase()
    if (code === 'fr' || code === 'en') return code
  }
  return 'en'
}

function stored(): Prefs {
  const usual: Prefs = {
    name: '',
    avatar: '',
    theme: 'auto',
    speed: 'normal',
    pause: 'press',
    volume: 60,
    haptics: true,
    voice: false,
    keys: true,
    lang: browserLang(),
    level: 'casual',
  }
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Prefs>
    for (const key of Object.keys(usual) as (keyof Prefs)[]) {
      if (typeof found[key] === typeof usual[key]) Object.assign(usual, { [key]: found[key] })
    }
    if (!(usual.speed in PACES)) usual.speed = 'normal'
    usual.volume = Math.min(100, Math.max(0, usual.volume))
    if (!PAUSES.includes(usual.pause)) usual.pause = 'press'
    if (usual.lang !== 'fr' && usual.lang !== 'en') usual.lang = browserLang()
  } catch {
    // Unreadable or forbidden storage: the usual will do.
  }
  return usual
}

/** Keep the page and the storage in step with the prefs. Called once. */
export function watchPrefs(): void {
  $effect.root(() => {
    $effect(() => {
      const text = JSON.stringify(prefs)
      try {
        localStorage.setItem(KEY, text)
      } catch {
        // A full or forbidden storage only forgets.
      }
    })
    $effect(() => {
      setLang(prefs.lang).catch(() => undefined) // without a connection the words stay as they are
    })
    $effect(() => {
      const theme = prefs.theme
      const paint = () => {
        const shown = theme === 'auto' ? (dark.matches ? 'dark' : 'light') : theme
        document.documentElement.dataset.theme = shown
        const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()
        document.querySelector('meta[name=theme-color]')?.setAttribute('content', paper)
      }
      paint()
      dark.addEventListener('change', paint)
      return () => dark.removeEventListener('change', paint)
    })
  })
  addEventListener('storage', (event) => {
    if (event.key === KEY) Object.assign(prefs, stored())
  })
}
