/** What the table sounds and feels like: cues at the volume of the device's person, on phones a short vibration, a voice. */

import { play as cue, type Cue } from '~/lib/cues'
import { prefs } from '~/lib/prefs.svelte'

/** How a cue feels: milliseconds on, off, on… */
const TAPS: Partial<Record<Cue, number[]>> = {
  card: [8],
  dice: [12, 60, 12, 70, 10],
  token: [35],
  turn: [25, 70, 25],
  bad: [80],
  win: [30, 60, 30, 60, 90],
}
/** Milliseconds in which the same cue is not played twice: events may come all at once. */
const APART = 80

let context: AudioContext | null = null
const last: Partial<Record<Cue, number>> = {}

/** Play a cue as sound and vibration, as far as the person wants them and has touched the page before. */
export function play(kind: Cue): void {
  if (!navigator.userActivation?.hasBeenActive) return
  const now = performance.now()
  if (now - (last[kind] ?? -APART) < APART) return
  last[kind] = now
  const taps = TAPS[kind]
  if (taps && prefs.haptics && canVibrate()) navigator.vibrate(taps)
  if (prefs.volume === 0) return
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') void context.resume()
    cue(context, kind, prefs.volume / 100)
  } catch {
    // A device without sound plays on in silence.
  }
}

/** Whether this is a device that one holds in the hand and that can vibrate. */
export function canVibrate(): boolean {
  return 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches
}

/** Say something aloud in a language, if the person wants that; what was being said is cut off. */
export function speak(text: string, lang: string): void {
  if (!prefs.voice || !('speechSynthesis' in window)) return
  speechSynthesis.cancel()
  const words = new SpeechSynthesisUtterance(text)
  words.lang = lang === 'fr' ? 'fr-FR' : 'en-GB'
  words.volume = prefs.volume === 0 ? 1 : prefs.volume / 100
  speechSynthesis.speak(words)
}
