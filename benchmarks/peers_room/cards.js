// The smallest two-player card game, the same for all peers: play a card, draw one, the other's turn; it never ends.
//
// The deck is a ring: the card played takes the place of the card drawn, so nothing is ever shuffled again.

export const SEATS = 2
export const HAND = 5

export function shuffledDeck() {
  const deck = Array.from({ length: 52 }, (_, card) => card)
  for (let i = deck.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[deck[i], deck[j]] = [deck[j], deck[i]]
  }
  return deck
}
