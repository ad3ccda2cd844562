import { range, testFaces } from '~/lib/faces.testing'
import Face from './Face.svelte'
import { cardName } from './names'
import { COLOURS, JOKER } from './types'

const cards = [...COLOURS.flatMap((colour) => range(1, 14).map((n) => colour + n)), JOKER]
testFaces('double_lucky_7', { cards, name: cardName, Face, props: (face) => ({ face }) })
