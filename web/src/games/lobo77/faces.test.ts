import { range, testFaces } from '~/lib/faces.testing'
import LoboCard from './LoboCard.svelte'
import { cardName } from './words'

const cards = ['-10', '0', ...range(2, 10), ...range(1, 6).map((n) => n + n), '76', '2x', 'rev']
testFaces('lobo77', { cards, name: cardName, Face: LoboCard, props: (card) => ({ card }) })
