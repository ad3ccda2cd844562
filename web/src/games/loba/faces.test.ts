import { testFaces } from '~/lib/faces.testing'
import Face from './Face.svelte'
import { cardName } from './names'
import { JOKER, RANKS, SUITS } from './types'

const cards = [...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)), JOKER]
testFaces('loba', { cards, name: cardName, Face, props: (face) => ({ face }) })
