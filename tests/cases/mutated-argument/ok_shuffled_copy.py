# expect: nothing
# why: a copy is shuffled, and struct reads what it is given
import random
import struct

import numpy as np


def drawn(deck, count):
    deck = deck.copy()
    random.shuffle(deck)
    return deck[:count], struct.unpack_from("d", deck, 0)


cards = np.arange(52)
hand, first = drawn(cards, 5)
print(hand, first, cards[0])
