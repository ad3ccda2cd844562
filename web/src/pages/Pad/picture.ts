import { number, t } from '~/lib/i18n.svelte'
import type { PadView } from './types'

const [SCALE, MARGIN, ROW, HEAD] = [2, 32, 34, 118]

/** The sheet as a picture: a column for each player or team, a row for each round, the sums and places on top. */
export function drawSheet(view: PadView, title: string, date: string): HTMLCanvasElement {
  const style = getComputedStyle(document.documentElement)
  const colour = (token: string) => style.getPropertyValue(`--${token}`).trim()
  const font = (weight: number, size: number, face = 'font') => `${weight} ${size}px ${colour(face)}`
  const sides = view.sides
  const column = Math.max(84, Math.min(160, 640 / sides.length))
  const first = 64
  const width = Math.max(380, 2 * MARGIN + first + sides.length * column)
  const top = MARGIN + 64
  const height = top + HEAD + view.rounds.length * ROW + MARGIN
  const canvas = document.createElement('canvas')
  ;[canvas.width, canvas.height] = [width * SCALE, height * SCALE]
  const pen = canvas.getContext('2d')!
  pen.scale(SCALE, SCALE)
  pen.textBaseline = 'middle'

  function box(x: number, y: number, w: number, h: number, fill: string) {
    pen.fillStyle = colour(fill)
    pen.fillRect(x, y, w, h)
  }
  function write(text: string, x: number, y: number, how: string, ink: string, align: CanvasTextAlign, room?: number) {
    pen.font = how
    pen.fillStyle = colour(ink)
    pen.textAlign = align
    pen.fillText(room === undefined ? text : fit(pen, text, room), x, y)
  }
  const middle = (i: number) => MARGIN + first + (i + 0.5) * column
  const show = (value: number) => number(value).replace('-', '−')
  const placeOf = (seat: number) => 1 + sides.filter(([other]) => view.places[other!]! < view.places[seat]!).length

  box(0, 0, width, height, 'paper')
  write(title, MARGIN, MARGIN + 12, font(700, 26, 'font-display'), 'ink', 'left', width - 2 * MARGIN)
  write(`${view.score} · ${date}`, MARGIN, MARGIN + 42, font(400, 15), 'ink-soft', 'left', width - 2 * MARGIN)
  box(MARGIN, top, width - 2 * MARGIN, height - top - MARGIN, 'sheet')
  box(MARGIN, top, width - 2 * MARGIN, HEAD, 'sheet-2')
  sides.forEach((side, i) => {
    const seat = side[0]!
    const isFirst = placeOf(seat) === 1 && view.rounds.length > 0
    const name = side.map((one) => view.players[one]).join(' + ')
    box(middle(i) - 22, top + 14, 44, 6, `line-${i % 8}`)
    write(name, middle(i), top + 38, font(600, 16), isFirst ? 'accent' : 'ink', 'center', column - 8)
    write(show(view.totals[seat] ?? 0), middle(i), top + 66, font(700, 26), isFirst ? 'accent' : 'ink', 'center')
    if (view.rounds.length) write(t('pad.place', { n: placeOf(seat) }), middle(i), top + 96, font(400, 14), 'ink-soft', 'center')
  })
  view.rounds.forEach((round, row) => {
    const y = top + HEAD + row * ROW
    box(MARGIN, y, width - 2 * MARGIN, 1, 'line')
    write(String(round.round), MARGIN + first / 2, y + ROW / 2, font(600, 14), 'ink-soft', 'center')
    sides.forEach(([seat], i) => {
      const points = round.done || round.points[seat!] ? show(round.points[seat!] ?? 0) : '·'
      write(points, middle(i) - 6, y + ROW / 2, font(600, 17), 'ink', 'right')
      write(show(round.totals[seat!] ?? 0), middle(i) + 6, y + ROW / 2, font(400, 13), 'ink-soft', 'left')
    })
  })
  return canvas
}

/** As much of a text as there is room for. */
function fit(pen: CanvasRenderingContext2D, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text
  let short = text
  while (short && pen.measureText(`${short}…`).width > room) short = short.slice(0, -1)
  return `${short}…`
}
