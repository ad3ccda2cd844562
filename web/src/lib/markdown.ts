/** The rules pages: as much of Markdown as they use, and the numbers of rules in brackets. */

export interface Piece {
  kind: 'text' | 'bold' | 'code' | 'rule'
  text: string
}

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; pieces: Piece[]; rules: string[] }
  | { kind: 'list'; items: { pieces: Piece[]; rules: string[] }[] }
  | { kind: 'table'; head: Piece[][]; rows: Piece[][][] }

const INLINE = /\*\*(.+?)\*\*|`(.+?)`|\s*\[([A-Z]+\d+[a-z]?)\]/g

export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) })
    const [, bold, code, rule] = match
    if (bold) found.push({ kind: 'bold', text: bold })
    else if (code) found.push({ kind: 'code', text: code })
    else found.push({ kind: 'rule', text: rule ?? '' })
    at = match.index + match[0].length
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) })
  return found
}

const rulesIn = (found: Piece[]) => found.filter((one) => one.kind === 'rule').map((one) => one.text)

function written(text: string): { pieces: Piece[]; rules: string[] } {
  const found = pieces(text)
  return { pieces: found, rules: rulesIn(found) }
}

const cells = (line: string) => line.replace(/^\||\|\s*$/g, '').split('|').map((cell) => pieces(cell.trim()))

/** A page in blocks. */
export function blocks(page: string): Block[] {
  return page
    .split(/\n\s*\n|\n(?=#)/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(block)
}

function block(part: string): Block {
  const heading = /^(#+) (.*)$/.exec(part)
  if (heading) return { kind: 'heading', level: heading[1]!.length, text: heading[2]! }
  const lines = part.split('\n')
  if (part.startsWith('|')) {
    const [head = '', , ...rows] = lines
    return { kind: 'table', head: cells(head), rows: rows.map(cells) }
  }
  if (part.startsWith('- ')) {
    const items = part.slice(2).split(/\n- /)
    return { kind: 'list', items: items.map((item) => written(item.replace(/\s*\n\s*/g, ' '))) }
  }
  return { kind: 'paragraph', ...written(lines.join(' ')) }
}
