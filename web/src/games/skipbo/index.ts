import { t } from '~/lib/i18n.svelte'
import type { GameScreen } from '~/lib/play'
import { aloud } from './aloud'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  aloud,
  hand: ({ hand }) => (hand ?? []).map((card) => ({ card })),
  score: (n, options) => (options.match === 'points' ? t('parts.points', { n }) : t('skipbo.stock_played', { n })),
}
export default screen
