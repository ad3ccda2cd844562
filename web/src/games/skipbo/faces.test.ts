import { range, testFaces } from '~/lib/faces.testing'
import SkipCard from './SkipCard.svelte'
import { cardName } from './words'

testFaces('skipbo', { cards: [...range(1, 12), '*'], name: cardName, Face: SkipCard, props: (card) => ({ card }) })
