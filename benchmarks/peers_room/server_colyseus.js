// The card game on Colyseus: `node server_colyseus.js`, in memory, a patch as soon as a move is made.

import { Room, Server } from '@colyseus/core'
import { Encoder, schema, StateView, t } from '@colyseus/schema'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { HAND, SEATS, shuffledDeck } from './cards.js'

Encoder.BUFFER_SIZE = 1024 // two for each room; its default is 16 times as much

const SLOTS = Array.from({ length: HAND }, (_, index) => `card${index}`)
const Player = schema(Object.fromEntries(SLOTS.map((slot) => [slot, t.uint8().view()])), 'Player')
const State = schema({ players: t.array(Player), turn: t.uint8(), pile: t.uint8() }, 'State')

class Cards extends Room {
  maxClients = SEATS
  // Never by the clock, only after a move. Zero would tick every room's clock 60 times a second.
  patchRate = 2 ** 31 - 1

  onCreate() {
    this.deck = shuffledDeck()
    this.next = 0
    const state = new State()
    state.turn = 0
    for (let seat = 0; seat < SEATS; seat++) {
      const player = new Player()
      for (const slot of SLOTS) player[slot] = this.deck.pop()
      state.players.push(player)
    }
    this.state = state
    this.broadcastPatch() // to nobody: else the first move's patch would tell the deal again
    this.onMessage(0, (client, index) => this.play(client.seat, index))
  }

  onJoin(client) {
    client.seat = this.clients.length - 1
    client.view = new StateView()
    client.view.add(this.state.players[client.seat])
  }

  play(seat, index) {
    const { players, turn } = this.state
    const slot = SLOTS[index]
    if (seat !== turn || slot === undefined) return
    const card = players[seat][slot]
    players[seat][slot] = this.deck[this.next]
    this.deck[this.next] = card
    this.next = (this.next + 1) % this.deck.length
    this.state.pile = card
    this.state.turn = 1 - turn
    this.broadcastPatch()
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false, gracefullyShutdown: false })
server.define('cards', Cards)
await server.listen(0, '127.0.0.1')
console.log(`ready ${server.transport.server.address().port}`)
