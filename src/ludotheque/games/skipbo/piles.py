"""Piles whose order matters, packed: four bits a card, fifteen cards a word.

    top_word[pile]   the topmost 1 to 15 cards, the top card in the lowest bits; 0 for an empty pile
    words[...]       what lies below, in full words: those of pile 0 from the bottom up, then those of pile 1...

So a pile can be of any height, all 162 cards fit into few bytes, and the same piles are always the same bytes.
"""

from __future__ import annotations

from ludotheque.core.jit import jit
from ludotheque.core.record import State as S
from ludotheque.games.skipbo.state import CARDS_PER_WORD, DRAW_PILE

FEW = 4


@jit
def top(s: S, pile: int) -> int:
    """The top card, NO_CARD if there is none."""
    return s.top_word[pile] & 15


@jit
def push(s: S, pile: int, card: int) -> None:
    """Put a card on top."""
    height = s.height[pile]
    if height > 0 and height % CARDS_PER_WORD == 0:
        _store(s, pile)
    s.top_word[pile] = (s.top_word[pile] << 4) | card
    s.height[pile] = height + 1


@jit
def pop(s: S, pile: int) -> int:
    """Take the top card."""
    word = s.top_word[pile]
    height = s.height[pile] - 1
    s.top_word[pile] = word >> 4
    s.height[pile] = height
    if height > 0 and height % CARDS_PER_WORD == 0:
        _fetch(s, pile)
    return word & 15


@jit
def words_below(s: S, pile: int) -> int:
    """How many full words a pile has below its topmost one."""
    height = s.height[pile]
    return (height - 1) // CARDS_PER_WORD if height > 0 else 0


@jit
def first_word(s: S, pile: int) -> int:
    """Where the full words of a pile begin."""
    if pile == DRAW_PILE:  # the last
        return s.num_words - words_below(s, pile)
    first = 0
    for other in range(pile):
        first += words_below(s, other)
    return first


@jit
def _store(s: S, pile: int) -> None:
    """The topmost word is full and another card comes: it joins those below."""
    at = first_word(s, pile) + words_below(s, pile)
    for i in range(s.num_words, at, -1):
        s.words[i] = s.words[i - 1]
    s.words[at] = s.top_word[pile]
    s.num_words += 1
    s.top_word[pile] = 0


@jit
def _fetch(s: S, pile: int) -> None:
    """The topmost word is used up: the next below takes its place."""
    s.num_words -= 1
    at = s.num_words
    if pile != DRAW_PILE:
        at = first_word(s, pile) + words_below(s, pile)
    s.top_word[pile] = s.words[at]
    for i in range(at, s.num_words):
        s.words[i] = s.words[i + 1]
    s.words[s.num_words] = 0


@jit
def get(s: S, pile: int, first: int, index: int) -> int:
    """The card at an index counted from the bottom, `first` being `first_word` of the pile."""
    word = index // CARDS_PER_WORD
    if word < words_below(s, pile):
        return (s.words[first + word] >> (4 * (CARDS_PER_WORD - 1 - index % CARDS_PER_WORD))) & 15
    return (s.top_word[pile] >> (4 * (s.height[pile] - 1 - index))) & 15


@jit
def topmost(s: S, pile: int) -> int:
    """The topmost cards packed as in a word, the top card in the lowest bits; the first FEW of them are sure."""
    word = s.top_word[pile]
    height = s.height[pile]
    if height > CARDS_PER_WORD:  # the last full word below joins them
        below = words_below(s, pile)
        last = s.words[first_word(s, pile) + below - 1] & ((1 << (4 * FEW)) - 1)
        word |= last << (4 * (height - CARDS_PER_WORD * below))
    return word


@jit
def put(s: S, pile: int, first: int, index: int, card: int) -> None:
    """Replace the card at an index counted from the bottom."""
    word = index // CARDS_PER_WORD
    if word < words_below(s, pile):
        shift = 4 * (CARDS_PER_WORD - 1 - index % CARDS_PER_WORD)
        s.words[first + word] = (s.words[first + word] & ~(15 << shift)) | (card << shift)
    else:
        shift = 4 * (s.height[pile] - 1 - index)
        s.top_word[pile] = (s.top_word[pile] & ~(15 << shift)) | (card << shift)


@jit
def insert(s: S, pile: int, index: int, card: int) -> None:
    """Slip a card in so that it lies at this index, counted from the bottom."""
    push(s, pile, card)
    first = first_word(s, pile)
    for i in range(s.height[pile] - 1, index, -1):
        put(s, pile, first, i, get(s, pile, first, i - 1))
    put(s, pile, first, index, card)
