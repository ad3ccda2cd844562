import { t } from '~/lib/i18n.svelte'
import type { GameScreen } from '~/lib/play'
import Face from './Face.svelte'
import { flights } from './flights'
import Screen from './Screen.svelte'
import type { Table } from './view'

const screen: GameScreen<Table> = {
  Screen,
  Face,
  flights,
  hand: ({ hand }) => (hand ?? []).map((card) => ({ card })),
  score: (n) => t('lobo77.tokens', { n }),
}
export default screen
