// Players of boardgame.io in its bare wire protocol: Engine.IO and Socket.IO packets in text frames.

import { SEATS } from './cards.js'
import { openSocket } from './sockets.js'

const OPEN = '0'
const PING = '2'
const PONG = '3'
const CONNECT = '40/cards,'
const EVENT = '42/cards,'
const UPDATE = Buffer.from(`${EVENT}["update"`)
const SYNC = Buffer.from(`${EVENT}["sync"`)

const startsWith = (data, head) =>
  data.length > head.length && data.compare(head, 0, head.length, 0, head.length) === 0

// A seat; `play` sends a move, `see` is called when the other's move arrives.
function openSeat(port, match, seat, see) {
  const action = `{"type":"MAKE_MOVE","payload":{"type":"play","args":[0],"playerID":"${seat}"}}`
  const socket = openSocket(port, '/socket.io/?EIO=4&transport=websocket')
  let seen = 0 // moves, which is the state's number
  const play = () => socket.send(`${EVENT}["update",${action},${seen},"${match}","${seat}"]`)
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      if (startsWith(data, UPDATE)) {
        const mover = seen++ % SEATS
        if (mover !== seat) see(seat)
        return
      }
      const text = data.toString()
      if (text.startsWith(OPEN)) socket.send(CONNECT)
      else if (text === PING) socket.send(PONG)
      else if (text.startsWith(CONNECT)) socket.send(`${EVENT}["sync","${match}","${seat}",null,${SEATS}]`)
      else if (startsWith(data, SYNC)) resolve(play)
    })
  })
}

// The first to ask for a match makes it, so one seat comes after the other.
export async function openTable(port, number, see) {
  const match = `table${number}`
  return [await openSeat(port, match, 0, see), await openSeat(port, match, 1, see)]
}
