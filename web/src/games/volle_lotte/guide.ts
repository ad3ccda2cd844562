import type { Guide } from '~/lib/play'

const guide: Guide = [
  { text: 'volle_lotte.guide_1', spots: [] },
  { text: 'volle_lotte.guide_2', spots: ['card', 'pile'] },
  { text: 'volle_lotte.guide_3', spots: ['roll:0', 'aside:0'] },
  { text: 'volle_lotte.guide_4', spots: ['turn'] },
  { text: 'volle_lotte.guide_5', spots: [] },
]

export default guide
