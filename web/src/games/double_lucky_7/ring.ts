/** Where the others and their cards lie around a table, so that a trick is one picture and nothing lies over another. */

export interface Spot {
  x: number
  y: number
}

export interface Ring {
  /** The middle of each seat, clockwise from the reader's left. */
  seats: Spot[]
  /** The middle of the card of each seat. */
  cards: Spot[]
  /** The middle of the reader's own card. */
  own: Spot
  /** How wide a card of the trick is. */
  card: number
}

export interface Room {
  width: number
  height: number
  /** What a seat takes. */
  seat: { width: number; height: number }
  /** What is kept free at the bottom, in the middle: the reader's own card, or a question. */
  foot: number
  /** How high the line above a card is, and how far things are apart. */
  line: number
  gap: number
  /** The widest card there may be. */
  card: number
}

/** Height by width of a card. */
const RATIO = 1.4
const NARROWEST = 24

/** How far along their way the `n` seats (or cards) are, from 0 to 1; `end` is how far from its ends, in steps. */
function shares(n: number, end: number): number[] {
  return Array.from({ length: n }, (_, i) => (i + end) / (n - 1 + 2 * end))
}

/** Seats along the left, upper and right edge. */
function around(n: number, { width, height, seat }: Room): Spot[] {
  const [left, top, right] = [seat.width / 2, seat.height / 2, width - seat.width / 2]
  const side = height - seat.height
  const across = right - left
  return shares(n, 0.35).map((share) => {
    const along = share * (2 * side + across)
    if (along < side) return { x: left, y: top + side - along }
    if (along > side + across) return { x: right, y: top + along - side - across }
    return { x: left + along - side, y: top }
  })
}

/** Cards of a width on half an ellipse around the reader's own. */
function trick(n: number, room: Room, card: number): Pick<Ring, 'cards' | 'own'> {
  const high = card * RATIO + room.line
  const [x, y] = [room.width / 2, room.height - room.foot]
  const many = n > 3
  const rx = Math.min(x - room.seat.width - room.gap - card / 2, card * (many ? 4.5 : 2.2))
  const ry = Math.min(y - room.seat.height - 2 * room.gap - high / 2, high * (many ? 2.6 : 1.3))
  const cards = shares(n, 0.15).map((share) => ({
    x: x + rx * (2 * share - 1),
    y: y - room.gap - ry * Math.sqrt(1 - (2 * share - 1) ** 2),
  }))
  return { cards, own: { x, y: y + high / 2 } }
}

function apart(a: Spot, b: Spot, width: number, height: number): boolean {
  return Math.abs(a.x - b.x) >= width || Math.abs(a.y - b.y) >= height
}

/** The ring for `n` others with the widest cards of which none lies over another or over a seat. */
export function ring(n: number, room: Room): Ring {
  const seats = around(n, room)
  for (let card = room.card; ; card -= 2) {
    const { cards, own } = trick(n, room, card)
    const [wide, high] = [card + room.gap, card * RATIO + room.line + room.gap]
    const all = [...cards, own]
    const isFree = all.every(
      (one, i) =>
        one.y + high / 2 <= room.height &&
        all.slice(i + 1).every((other) => apart(one, other, wide, high)) &&
        seats.every((seat) => apart(one, seat, (wide + room.seat.width) / 2, (high + room.seat.height) / 2)),
    )
    if (isFree || card <= NARROWEST) return { seats, cards, own, card }
  }
}
