import { t } from '~/lib/i18n.svelte'
import type { GamePad } from '~/pages/Pad/types'
import Form from './PadForm.svelte'

const pad: GamePad = {
  Form,
  /** Tricks of bid. */
  detail(view, round, seat) {
    const [bids, tricks] = ['bids', 'tricks'].map(
      (name) => round.entries.map((at) => view.entries[at]?.[name]).find(Array.isArray)?.[seat],
    )
    if (bids === undefined) return ''
    return tricks === undefined ? t('double_lucky_7.pad_bid_of', { n: Number(bids) }) : `${tricks}/${bids}`
  },
}

export default pad
