/** A drawing for any game, made from its id: the same each time, and unlike that of another one. */

export interface Thing {
  kind: 'paper' | 'back' | 'die' | 'coin'
  x: number
  y: number
  turn: number
  /** On a die. */
  value: number
}

export interface Drawing {
  colour: string
  /** A lighter shade, for the pattern. */
  light: string
  /** What the cloth is woven with. */
  pattern: 'rings' | 'stripes' | 'dots' | 'diamonds'
  /** On the card in the middle. */
  letters: string
  tone: 'ink' | 'red' | 'blue' | 'green'
  things: Thing[]
}

const PATTERNS = ['rings', 'stripes', 'dots', 'diamonds'] as const
const TONES = ['ink', 'red', 'blue', 'green'] as const
/** What lies at both sides of the card with the letters, from left to right. */
const STILLS: Thing['kind'][][] = [
  ['die', 'die', 'coin', 'die'],
  ['back', 'paper', 'coin', 'die'],
  ['coin', 'die', 'back', 'back'],
  ['back', 'back', 'paper', 'coin'],
  ['die', 'back', 'die', 'coin'],
  ['paper', 'coin', 'die', 'die'],
]
const PLACES = [
  { x: 46, y: 62 },
  { x: 92, y: 112 },
  { x: 230, y: 110 },
  { x: 276, y: 64 },
]

export function drawingOf(id: string): Drawing {
  const next = chance(id)
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!
  const hue = next(360)
  return {
    colour: `hsl(${hue} 32% 31%)`,
    light: `hsl(${hue} 34% 40%)`,
    pattern: pick(PATTERNS),
    letters: lettersOf(id),
    tone: pick(TONES),
    things: pick(STILLS).map((kind, i) => ({
      kind,
      x: PLACES[i]!.x + next(13) - 6,
      y: PLACES[i]!.y + next(17) - 8,
      turn: next(50) - 25,
      value: 1 + next(6),
    })),
  }
}

/** The first letters of its words, at most three; of a single word two. */
export function lettersOf(id: string): string {
  const words = id.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join('') : (words[0] ?? '').slice(0, 2)
  return letters.charAt(0).toUpperCase() + letters.slice(1, 3)
}

/** Numbers below a bound, from a text (FNV-1a, then mulberry32). */
function chance(text: string): (below: number) => number {
  let state = 0x811c9dc5
  for (const one of text) state = Math.imul(state ^ one.codePointAt(0)!, 0x01000193)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
