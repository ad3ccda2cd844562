import { range, testFaces } from '~/lib/faces.testing'
import CardFace from './CardFace.svelte'
import { cardName } from './words'

const cards = [
  ...['stop', 'fireworks', 'double', 'plusminus', 'straight', 'clover'],
  ...range(2, 6).map((n) => `bonus ${n}00`),
]
testFaces('volle_lotte', { cards, name: cardName, Face: CardFace, props: (kind) => ({ kind }) })
