// WebSockets as light as the library makes them: no compression, no check of the text a server sends.

import { WebSocket } from 'ws'

const OPTIONS = { perMessageDeflate: false, skipUTF8Validation: true }

// A connection that fails ends the whole run.
function fail() {
  throw new Error('the server closed a connection')
}

export function openSocket(port, path) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, OPTIONS)
  socket.on('close', fail)
  return socket
}
