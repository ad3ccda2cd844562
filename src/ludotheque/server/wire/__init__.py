"""HTTP and WebSocket: what reads and writes sockets."""
