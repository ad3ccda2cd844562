import type { Guide } from '~/lib/play'

const guide: Guide = [
  { text: 'generic.guide_1', spots: ['seats'] },
  { text: 'generic.guide_2', spots: ['facts'] },
  { text: 'generic.guide_3', spots: ['moves'] },
  { text: 'generic.guide_4', spots: [] },
]

export default guide
