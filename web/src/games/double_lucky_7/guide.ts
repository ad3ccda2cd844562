import type { Guide } from '~/lib/play'

const guide: Guide = [
  { text: 'double_lucky_7.guide_1', spots: [] },
  { text: 'double_lucky_7.guide_2', spots: ['turned', 'deck'] },
  { text: 'double_lucky_7.guide_3', spots: ['hand'] },
  { text: 'double_lucky_7.guide_4', spots: ['tricks:me', 'seat:me'] },
  { text: 'double_lucky_7.guide_5', spots: [] },
]

export default guide
