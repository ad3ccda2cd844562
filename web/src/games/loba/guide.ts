import type { Guide } from '~/lib/play'

const guide: Guide = [
  { text: 'loba.guide_1', spots: [] },
  { text: 'loba.guide_2', spots: ['contract'] },
  { text: 'loba.guide_3', spots: ['stock', 'pile'] },
  { text: 'loba.guide_4', spots: ['hand', 'hand:0'] },
  { text: 'loba.guide_5', spots: [] },
]

export default guide
