"""The rules of the room: tables, events, commands and messages. No network, no clock, no storage."""
