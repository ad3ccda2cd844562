"""The game room: tables over the network, with people, bots and spectators."""
