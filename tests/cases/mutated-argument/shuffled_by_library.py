# expect: 10 mutated-argument related 15
# why: what random does isn't recorded, but its effect is
# check: cards.tolist() != list(range(52))
import random

import numpy as np


def drawn(deck, count):
    random.shuffle(deck)
    return deck[:count]


cards = np.arange(52)
hand = drawn(cards, 5)
print(hand, cards[0])
