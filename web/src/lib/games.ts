/**
 * What a game has for the browser is in `games/<id>/`, found by the names of its files and loaded on demand. Every part is
 * optional: a game that this page knows nothing of is drawn from what the server says of it.
 */

import type { Component } from 'svelte'
import { viewOf } from '~/lib/api'
import { loadArea } from '~/lib/i18n.svelte'
import type { GameScreen } from '~/lib/play'
import type { GamePad } from '~/pages/Pad/types'

type Art = Component<{ game: string }>

const SCREENS = import.meta.glob<GameScreen>('../games/*/index.ts', { import: 'default' })
const ARTS = import.meta.glob<Art>('../games/*/Art.svelte', { import: 'default' })
const PADS = import.meta.glob<GamePad>('../games/*/pad.ts', { import: 'default' })

/** The screen of a game, its texts included. */
export async function loadScreen(game: string): Promise<GameScreen> {
  const own = SCREENS[`../games/${game}/index.ts`]
  if (own) return (await Promise.all([own(), loadArea(game)]))[0]
  // What the screen reads of the server is asked for here already, so that it shows at once.
  const [{ default: screen }] = await Promise.all([import('~/generic'), loadArea('generic'), viewOf(game)])
  return screen
}

/** The drawing of a game. */
export function loadArt(game: string): Promise<Art> {
  const own = ARTS[`../games/${game}/Art.svelte`]
  return own ? own() : import('~/generic/Art.svelte').then((found) => found.default)
}

/** What a game adds to the score pad, its texts included; null if it is written on the plain one. */
export async function loadPad(game: string): Promise<GamePad | null> {
  const own = PADS[`../games/${game}/pad.ts`]
  return own ? (await Promise.all([own(), loadArea(game)]))[0] : null
}
