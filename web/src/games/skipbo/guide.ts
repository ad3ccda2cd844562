import type { Guide } from '~/lib/play'

const guide: Guide = [
  { text: 'skipbo.guide_1', spots: [] },
  { text: 'skipbo.guide_2', spots: ['stock:me'] },
  { text: 'skipbo.guide_3', spots: ['built:2', 'built:1'] },
  { text: 'skipbo.guide_4', spots: ['hand', 'hand:0'] },
  { text: 'skipbo.guide_5', spots: [] },
]

export default guide
