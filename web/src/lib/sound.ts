/** Short sounds, made on the spot: no files to load. */

import { prefs } from '~/lib/prefs.svelte'

export type Sound = 'card' | 'dice' | 'turn' | 'good' | 'bad' | 'win' | 'message'

interface Note {
  pitch: number
  at: number
  length: number
  loud: number
  shape: OscillatorType
}

const note = (pitch: number, at = 0, length = 0.12, loud = 0.12, shape: OscillatorType = 'triangle'): Note => ({
  pitch,
  at,
  length,
  loud,
  shape,
})

const NOTES: Record<Exclude<Sound, 'card' | 'dice'>, Note[]> = {
  turn: [note(659, 0, 0.14), note(880, 0.12, 0.22)],
  good: [note(784, 0, 0.1), note(1047, 0.09, 0.16)],
  bad: [note(311, 0, 0.16, 0.1), note(233, 0.13, 0.26, 0.1)],
  win: [note(523, 0, 0.14), note(659, 0.12, 0.14), note(784, 0.24, 0.14), note(1047, 0.36, 0.4)],
  message: [note(988, 0, 0.08, 0.07, 'sine')],
}
/** Rustles: when, how long, how bright. */
const RUSTLES: Record<'card' | 'dice', [number, number, number][]> = {
  card: [[0, 0.07, 2600]],
  dice: [
    [0, 0.05, 1500],
    [0.08, 0.05, 1800],
    [0.15, 0.04, 1600],
    [0.24, 0.05, 1300],
    [0.36, 0.06, 1100],
  ],
}

let context: AudioContext | null = null
let hiss: AudioBuffer | null = null

/** Play a sound, if the person wants sounds and has touched the page before. */
export function play(sound: Sound): void {
  if (!prefs.sound || !navigator.userActivation?.hasBeenActive) return
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') void context.resume()
    if (sound === 'card' || sound === 'dice') for (const one of RUSTLES[sound]) rustle(context, ...one)
    else for (const one of NOTES[sound]) tone(context, one)
  } catch {
    // A device without sound plays on in silence.
  }
}

function tone(audio: AudioContext, { pitch, at, length, loud, shape }: Note): void {
  const start = audio.currentTime + at
  const source = new OscillatorNode(audio, { type: shape, frequency: pitch })
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.linearRampToValueAtTime(loud, start + 0.01)
  gain.gain.exponentialRampToValueAtTime(0.001, start + length)
  source.connect(gain).connect(audio.destination)
  source.start(start)
  source.stop(start + length)
}

function rustle(audio: AudioContext, at: number, length: number, bright: number): void {
  if (!hiss) {
    hiss = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate)
    const samples = hiss.getChannelData(0)
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1
  }
  const start = audio.currentTime + at
  const source = new AudioBufferSourceNode(audio, { buffer: hiss })
  const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: bright, Q: 0.8 })
  const gain = new GainNode(audio, { gain: 0.14 })
  gain.gain.exponentialRampToValueAtTime(0.001, start + length)
  source.connect(filter).connect(gain).connect(audio.destination)
  source.start(start, Math.random() * 0.2, length)
}

/** Say something aloud in a language, if the person wants that; what was being said is cut off. */
export function speak(text: string, lang: string): void {
  if (!prefs.voice || !('speechSynthesis' in window)) return
  speechSynthesis.cancel()
  const words = new SpeechSynthesisUtterance(text)
  words.lang = lang === 'fr' ? 'fr-FR' : 'en-GB'
  speechSynthesis.speak(words)
}
