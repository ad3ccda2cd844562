"""Tables in memory: commands are judged, stored, applied and shown; presence, bots, clocks, hints."""
