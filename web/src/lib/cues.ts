/**
 * The sounds of the table, made on the spot: no files to load. Tones are struck bars of wood, with the overtones of a
 * marimba; cards and dice are filtered noise with a thud below it. At full volume no cue comes near clipping.
 */

export const CUES = ['card', 'dice', 'token', 'turn', 'good', 'bad', 'win', 'message'] as const
export type Cue = (typeof CUES)[number]

/** Where sound is made, and the node it goes through. */
interface Bench {
  audio: BaseAudioContext
  out: AudioNode
  start: number
}

/** A struck bar: hertz, seconds after the start, loudness, seconds until it has died away. */
type Bar = [pitch: number, at: number, loud: number, length: number]
/** A knock: seconds after the start, hertz, loudness. */
type Knock = [at: number, pitch: number, loud: number]

/** The overtones of a bar of wood: how many times the pitch, how loud, how long. */
const PARTIALS: [number, number, number][] = [
  [1, 1, 1],
  [3.93, 0.22, 0.32],
  [9.2, 0.06, 0.12],
]
const BARS: Partial<Record<Cue, Bar[]>> = {
  turn: [
    [493.9, 0, 0.3, 0.5],
    [659.3, 0.13, 0.34, 0.75],
  ],
  good: [
    [587.3, 0, 0.28, 0.4],
    [740, 0.09, 0.28, 0.45],
    [880, 0.18, 0.32, 0.7],
  ],
  bad: [
    [293.7, 0, 0.34, 0.45],
    [220, 0.16, 0.36, 0.8],
  ],
  win: [
    [392, 0, 0.26, 0.6],
    [493.9, 0.13, 0.26, 0.6],
    [587.3, 0.26, 0.26, 0.6],
    [784, 0.4, 0.3, 1.3],
    [392, 0.4, 0.18, 1.3],
    [587.3, 0.4, 0.16, 1.3],
  ],
  token: [
    [830.6, 0, 0.28, 0.22],
    [622.3, 0.1, 0.24, 0.2],
    [622.3, 0.17, 0.12, 0.16],
  ],
  message: [[880, 0, 0.16, 0.22]],
}
const DICE: Knock[] = [
  [0, 1500, 0.5],
  [0.075, 1850, 0.42],
  [0.14, 1600, 0.46],
  [0.23, 1350, 0.34],
  [0.31, 1500, 0.22],
  [0.37, 1250, 0.14],
]

/** Play a cue, at a volume from 0 to 1. */
export function play(audio: BaseAudioContext, cue: Cue, volume: number): void {
  // Ears hear loudness in steps, not in amplitudes.
  const out = new GainNode(audio, { gain: volume * volume })
  out.connect(audio.destination)
  const bench = { audio, out, start: audio.currentTime + 0.01 }
  for (const bar of BARS[cue] ?? []) strike(bench, bar)
  if (cue === 'card') slide(bench)
  if (cue === 'dice') for (const one of DICE) knock(bench, one)
}

function strike({ audio, out, start }: Bench, [pitch, at, loud, length]: Bar): void {
  const warm = new BiquadFilterNode(audio, { type: 'lowpass', frequency: 3600, Q: 0.3 })
  warm.connect(out)
  for (const [times, share, lasts] of PARTIALS) {
    const source = new OscillatorNode(audio, { frequency: pitch * times })
    source.connect(fade(audio, start + at, loud * share, length * lasts)).connect(warm)
    source.start(start + at)
    source.stop(start + at + length * lasts)
  }
}

/** A card over felt: a rustle that gets darker, and the soft thud of its end. */
function slide({ audio, out, start }: Bench): void {
  const tone = new BiquadFilterNode(audio, { type: 'bandpass', frequency: 3400, Q: 0.9 })
  tone.frequency.setValueAtTime(3400, start)
  tone.frequency.exponentialRampToValueAtTime(1300, start + 0.11)
  tone.connect(fade(audio, start, 0.42, 0.12)).connect(out)
  hiss(audio, start, 0.12).connect(tone)
  thud({ audio, out, start: start + 0.07 }, 170, 0.3)
}

/** A die on wood. */
function knock({ audio, out, start }: Bench, [at, pitch, loud]: Knock): void {
  const tone = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch, Q: 2.6 })
  tone.connect(fade(audio, start + at, loud * 1.5, 0.05)).connect(out)
  hiss(audio, start + at, 0.05).connect(tone)
  thud({ audio, out, start: start + at }, pitch / 5, loud * 0.5)
}

function thud({ audio, out, start }: Bench, pitch: number, loud: number): void {
  const source = new OscillatorNode(audio, { frequency: pitch })
  source.frequency.setValueAtTime(pitch, start)
  source.frequency.exponentialRampToValueAtTime(pitch * 0.6, start + 0.08)
  source.connect(fade(audio, start, loud, 0.09)).connect(out)
  source.start(start)
  source.stop(start + 0.09)
}

/** Up at once, then gone bit by bit. */
function fade(audio: BaseAudioContext, start: number, loud: number, length: number): GainNode {
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.setValueAtTime(0.0001, start)
  gain.gain.exponentialRampToValueAtTime(loud, start + 0.006)
  gain.gain.exponentialRampToValueAtTime(0.0005, start + length)
  return gain
}

const noises = new WeakMap<BaseAudioContext, AudioBuffer>()

function hiss(audio: BaseAudioContext, start: number, length: number): AudioBufferSourceNode {
  let noise = noises.get(audio)
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate)
    const samples = noise.getChannelData(0)
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1
    noises.set(audio, noise)
  }
  const source = new AudioBufferSourceNode(audio, { buffer: noise })
  source.start(start, Math.random() * 0.3, length)
  return source
}
