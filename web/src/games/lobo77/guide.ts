import type { Guide } from '~/lib/play'

const guide: Guide = [
  { text: 'lobo77.guide_1', spots: [] },
  { text: 'lobo77.guide_2', spots: ['total'] },
  { text: 'lobo77.guide_3', spots: ['hand', 'hand:0'] },
  { text: 'lobo77.guide_4', spots: ['tokens:me'] },
  { text: 'lobo77.guide_5', spots: [] },
]

export default guide
