/** QR codes for links: bytes, error correction of level M, versions 1 to 10 (up to 213 bytes). */

/** Error-correcting codewords per block and blocks, by version. */
const BLOCKS: [number, number][] = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
]
const LEVEL_M = 0
/** Rows, blocks, false patterns, balance: what makes a mask bad. */
const [RUN, BOX, FINDER, BALANCE] = [3, 3, 40, 10]

/** The modules of a code, true for dark, row by row. */
export function qr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = BLOCKS.findIndex((_, i) => capacity(i + 1) >= bytes.length) + 1
  if (version === 0) throw new RangeError('too long for a QR code')
  const code = new Code(version)
  code.write(withCorrection(version, encoded(version, bytes)))
  return code.masked()
}

const numCodewords = (version: number) => {
  const aligned = version > 1 ? Math.floor(version / 7) + 2 : 0
  let modules = (16 * version + 128) * version + 64
  if (aligned) modules -= (25 * aligned - 10) * aligned - 55
  if (version > 6) modules -= 36
  return Math.floor(modules / 8)
}
const numData = (version: number) => {
  const [correcting, blocks] = BLOCKS[version - 1]!
  return numCodewords(version) - correcting * blocks
}
const capacity = (version: number) => numData(version) - (version < 10 ? 2 : 3)

function encoded(version: number, bytes: Uint8Array): number[] {
  const bits: number[] = []
  const add = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i -= 1) bits.push((value >> i) & 1)
  }
  add(0b0100, 4)
  add(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) add(byte, 8)
  const room = numData(version) * 8
  add(0, Math.min(4, room - bits.length))
  add(0, (8 - (bits.length % 8)) % 8)
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) add(pad, 8)
  return Array.from({ length: bits.length / 8 }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(''), 2))
}

/** Multiplication in the field of 256 elements. */
function times(a: number, b: number): number {
  let product = 0
  for (let i = 7; i >= 0; i -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> i) & 1) * a
  }
  return product
}

function correction(data: number[], length: number): number[] {
  const divisor = Array<number>(length).fill(0)
  divisor[length - 1] = 1
  let root = 1
  for (let i = 0; i < length; i += 1) {
    for (let j = 0; j < length; j += 1) divisor[j] = times(divisor[j]!, root) ^ (divisor[j + 1] ?? 0)
    root = times(root, 2)
  }
  const rest = Array<number>(length).fill(0)
  for (const byte of data) {
    const factor = byte ^ rest.shift()!
    rest.push(0)
    divisor.forEach((one, i) => (rest[i] = rest[i]! ^ times(one, factor)))
  }
  return rest
}

/** Data and correction of all blocks, interleaved. The first blocks may be shorter by one. */
function withCorrection(version: number, data: number[]): number[] {
  const [correcting, count] = BLOCKS[version - 1]!
  const all = numCodewords(version)
  const numShort = count - (all % count)
  const short = Math.floor(all / count) - correcting
  const blocks: number[][] = []
  let at = 0
  for (let i = 0; i < count; i += 1) {
    const length = short + (i < numShort ? 0 : 1)
    blocks.push(data.slice(at, at + length))
    at += length
  }
  const checks = blocks.map((block) => correction(block, correcting))
  const result: number[] = []
  for (let i = 0; i <= short; i += 1) for (const block of blocks) if (i < block.length) result.push(block[i]!)
  for (let i = 0; i < correcting; i += 1) for (const block of checks) result.push(block[i]!)
  return result
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

class Code {
  readonly size: number
  readonly dark: boolean[][]
  /** Modules that are no data. */
  readonly fixed: boolean[][]

  constructor(readonly version: number) {
    this.size = 4 * version + 17
    const grid = () => Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false))
    this.dark = grid()
    this.fixed = grid()
    this.#patterns()
  }

  #set(x: number, y: number, dark: boolean): void {
    this.dark[y]![x] = dark
    this.fixed[y]![x] = true
  }

  #patterns(): void {
    const { size, version } = this
    for (let i = 0; i < size; i += 1) {
      this.#set(6, i, i % 2 === 0)
      this.#set(i, 6, i % 2 === 0)
    }
    for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
      for (let dy = -4; dy <= 4; dy += 1) {
        for (let dx = -4; dx <= 4; dx += 1) {
          const ring = Math.max(Math.abs(dx), Math.abs(dy))
          const [x, y] = [cx + dx, cy + dy]
          if (x >= 0 && x < size && y >= 0 && y < size) this.#set(x, y, ring !== 2 && ring !== 4)
        }
      }
    }
    const places = alignments(version)
    const last = places.length - 1
    places.forEach((cy, i) =>
      places.forEach((cx, j) => {
        if ((i === 0 && (j === 0 || j === last)) || (i === last && j === 0)) return
        for (let dy = -2; dy <= 2; dy += 1) {
          for (let dx = -2; dx <= 2; dx += 1) this.#set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
        }
      }),
    )
    this.#format(0)
    if (version > 6) this.#versionBits()
  }

  #format(mask: number): void {
    const data = (LEVEL_M << 3) | mask
    let rest = data
    for (let i = 0; i < 10; i += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
    const bits = ((data << 10) | rest) ^ 0x5412
    const bit = (i: number) => ((bits >> i) & 1) === 1
    const { size } = this
    for (let i = 0; i < 6; i += 1) this.#set(8, i, bit(i))
    this.#set(8, 7, bit(6))
    this.#set(8, 8, bit(7))
    this.#set(7, 8, bit(8))
    for (let i = 9; i < 15; i += 1) this.#set(14 - i, 8, bit(i))
    for (let i = 0; i < 8; i += 1) this.#set(size - 1 - i, 8, bit(i))
    for (let i = 8; i < 15; i += 1) this.#set(8, size - 15 + i, bit(i))
    this.#set(8, size - 8, true)
  }

  #versionBits(): void {
    let rest = this.version
    for (let i = 0; i < 12; i += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
    const bits = (this.version << 12) | rest
    for (let i = 0; i < 18; i += 1) {
      const [a, b] = [this.size - 11 + (i % 3), Math.floor(i / 3)]
      const dark = ((bits >> i) & 1) === 1
      this.#set(a, b, dark)
      this.#set(b, a, dark)
    }
  }

  /** Data runs in columns of two, up and down, from the right. */
  write(codewords: number[]): void {
    let i = 0
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5
      for (let step = 0; step < this.size; step += 1) {
        const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step
        for (const x of [right, right - 1]) {
          if (this.fixed[y]![x] || i >= codewords.length * 8) continue
          this.dark[y]![x] = ((codewords[i >> 3]! >> (7 - (i & 7))) & 1) === 1
          i += 1
        }
      }
    }
  }

  #flip(mask: number): void {
    for (let y = 0; y < this.size; y += 1) {
      for (let x = 0; x < this.size; x += 1) {
        if (!this.fixed[y]![x] && MASKS[mask]!(x, y)) this.dark[y]![x] = !this.dark[y]![x]
      }
    }
  }

  /** The code under the mask that scanners read best. */
  masked(): boolean[][] {
    let best = 0
    let least = Infinity
    for (let mask = 0; mask < 8; mask += 1) {
      this.#flip(mask)
      this.#format(mask)
      const badness = penalty(this.dark)
      if (badness < least) [best, least] = [mask, badness]
      this.#flip(mask)
    }
    this.#flip(best)
    this.#format(best)
    return this.dark
  }
}

function alignments(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const last = 4 * version + 10
  const step = Math.ceil((last - 6) / (2 * count - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, i) => last - step * (count - 2 - i))]
}

function penalty(dark: boolean[][]): number {
  const size = dark.length
  const columns = dark.map((_, x) => dark.map((row) => row[x]!))
  let sum = 0
  for (const line of [...dark, ...columns]) {
    const text = line.map((one) => (one ? '1' : '0')).join('')
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += RUN + run.length - 5
    for (let i = 0; i + 11 <= size; i += 1) {
      const part = text.slice(i, i + 11)
      if (part === '10111010000' || part === '00001011101') sum += FINDER
    }
  }
  for (let y = 0; y + 1 < size; y += 1) {
    for (let x = 0; x + 1 < size; x += 1) {
      const one = dark[y]![x]
      if (one === dark[y]![x + 1] && one === dark[y + 1]![x] && one === dark[y + 1]![x + 1]) sum += BOX
    }
  }
  const count = dark.flat().filter(Boolean).length
  return sum + Math.floor(Math.abs((count * 20) / (size * size) - 10)) * BALANCE
}
