// The card game on boardgame.io: `node server_boardgameio.js [folder]`, in memory or in its FlatFile store.

import server from 'boardgame.io/dist/cjs/server.js'
import { HAND, SEATS, shuffledDeck } from './cards.js'

const folder = process.argv[2]

function play({ G, playerID }, index) {
  const hand = G.hands[playerID]
  const card = hand[index]
  if (card === undefined) return 'INVALID_MOVE'
  hand[index] = G.deck[G.next]
  G.deck[G.next] = card
  G.next = (G.next + 1) % G.deck.length
  G.pile = card
}

const game = {
  name: 'cards',
  setup() {
    const deck = shuffledDeck()
    const hands = Array.from({ length: SEATS }, () => deck.splice(0, HAND))
    return { deck, hands, next: 0, pile: null }
  },
  moves: { play },
  turn: { minMoves: 1, maxMoves: 1 },
  playerView: ({ G, playerID }) => ({ pile: G.pile, hand: G.hands[playerID] }),
  disableUndo: true,
}

const options = { games: [game], origins: ['http://127.0.0.1'] }
if (folder) options.db = new server.FlatFile({ dir: folder })
const running = await server.Server(options).run({ port: { host: '127.0.0.1', port: 0 } })
console.log(`ready ${running.appServer.address().port}`)
