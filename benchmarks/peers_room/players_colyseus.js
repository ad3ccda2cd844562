// Players of Colyseus in its bare wire protocol: seats by HTTP, then bytes.

import http from 'node:http'
import { SEATS } from './cards.js'
import { openSocket } from './sockets.js'

const JOIN_ROOM = 10
const ROOM_DATA = 13
const ROOM_STATE = 14
const ROOM_STATE_PATCH = 15
const PLAY = Uint8Array.of(ROOM_DATA, 0, 0) // message type 0, the first card

const agent = new http.Agent({ keepAlive: true })

function reserve(port, method, name) {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' }
    const options = { host: '127.0.0.1', port, path: `/matchmake/${method}/${name}`, method: 'POST', headers, agent }
    const request = http.request(options, (response) => {
      let text = ''
      response.on('data', (part) => (text += part))
      response.on('end', () => (response.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))))
    })
    request.on('error', reject)
    request.end('{}')
  })
}

// A seat; `play` sends a move, `see` is called when the other's move arrives. Every move is one patch.
function openSeat(port, seat, { processId, roomId, sessionId }, see) {
  const socket = openSocket(port, `/${processId}/${roomId}?sessionId=${sessionId}`)
  let seen = 0
  const play = () => socket.send(PLAY)
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      if (data[0] === ROOM_STATE_PATCH) {
        const mover = seen++ % SEATS
        if (mover !== seat) see(seat)
      } else if (data[0] === JOIN_ROOM) socket.send(Uint8Array.of(JOIN_ROOM))
      else if (data[0] === ROOM_STATE) resolve(play)
    })
  })
}

export async function openTable(port, number, see) {
  const first = await reserve(port, 'create', 'cards')
  const ann = await openSeat(port, 0, first, see)
  const second = await reserve(port, 'joinById', first.roomId)
  return [ann, await openSeat(port, 1, second, see)]
}
