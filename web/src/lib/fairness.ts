/** Fair deals: this device adds random bytes before the deal, and checks the deal once the match is over. */

import type { Proof } from '~/lib/protocol'

/** What this device knows of a deal from before the cards were shown. */
export interface Promised {
  /** The SHA-256 of the server's secret, as it was shown before the deal. */
  commitment: string
  /** The bytes that this device added. */
  added?: string
  seat?: number
}

/** What the check found out. `unseen`: right in itself, but this device did not see the promise before the deal. */
export type Verdict = 'kept' | 'unseen' | 'broken'

const PREFIX = 'ludotheque deal 1\0'
const BYTES = 32

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function unhex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

/** Random bytes to add to a deal. */
export function randomBytes(): string {
  return hex(crypto.getRandomValues(new Uint8Array(BYTES)))
}

/** The key of a deal: the server's secret mixed with what each seat added. */
export function mix(secret: Uint8Array, contributions: Uint8Array[]): string {
  const parts = [new TextEncoder().encode(PREFIX), secret]
  for (const one of contributions) parts.push(Uint8Array.of(one.length), one)
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return hex(sha256(whole))
}

/** Compute a deal again from its proof, and compare it with what was shown before and at the deal. */
export function check(proof: Proof, deal: string | null | undefined, promised: Promised | null): Verdict {
  const secret = unhex(proof.secret)
  const isMixed = mix(secret, proof.contributions.map(unhex)) === proof.key
  const isSecret = hex(sha256(secret)) === proof.commitment
  const isDeal = !deal || hex(sha256(unhex(proof.key))) === deal
  if (!isMixed || !isSecret || !isDeal) return 'broken'
  if (!promised) return 'unseen'
  if (promised.commitment !== proof.commitment) return 'broken'
  return !promised.added || proof.contributions.includes(promised.added) ? 'kept' : 'broken'
}

const at = (table: string, match: number) => `ludotheque.deal.${table}.${match}`

/** Keep what was promised, for the check after the match. */
export function keepPromise(table: string, match: number, promised: Promised): void {
  try {
    localStorage.setItem(at(table, match), JSON.stringify(promised))
  } catch {
    // A full or forbidden storage only forgets.
  }
}

export function promiseOf(table: string, match: number): Promised | null {
  try {
    return JSON.parse(localStorage.getItem(at(table, match)) ?? 'null') as Promised | null
  } catch {
    return null
  }
}

const K = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))
const START = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))

function primes(count: number): number[] {
  const found: number[] = []
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n)
  return found
}

function fraction(x: number): number {
  return Math.floor((x - Math.floor(x)) * 2 ** 32)
}

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by))

/** SHA-256. The browser's own is missing where a page is not served over HTTPS, as in a home network. */
export function sha256(message: Uint8Array): Uint8Array {
  const length = message.length
  const padded = new Uint8Array(((length + 8) >> 6 << 6) + 64)
  padded.set(message)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(padded.length - 4, length << 3)
  const state = Uint32Array.from(START)
  const w = new Uint32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + 4 * i)
    for (let i = 16; i < 64; i += 1) {
      const [a, b] = [w[i - 15]!, w[i - 2]!]
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
    }
    round(state, w)
  }
  const result = new Uint8Array(32)
  const out = new DataView(result.buffer)
  state.forEach((word, i) => out.setUint32(4 * i, word))
  return result
}

function round(state: Uint32Array, w: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  const next = [a, b, c, d, e, f, g, h]
  next.forEach((word, i) => (state[i] = state[i]! + word))
}
