/** The games' screens, loaded on demand. */

import type { GameScreen } from '~/lib/play'

const SCREENS = import.meta.glob<GameScreen>('../games/*/index.ts', { import: 'default' })

/** The screen of a game; null if this page is older than the game. */
export async function loadScreen(game: string): Promise<GameScreen | null> {
  return (await SCREENS[`../games/${game}/index.ts`]?.()) ?? null
}
