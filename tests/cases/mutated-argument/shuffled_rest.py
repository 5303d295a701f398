# expect: 9 mutated-argument related 13
# why: the view that is shuffled is gone after the line; what it showed is the caller's
# check: data[1:].tolist() != list(range(1, 8))
import random

import numpy as np

def mixed(v):
    random.Random(1).shuffle(v[1:])
    return v[:3]

data = np.arange(8.0)
first = mixed(data)
print(first, data[2])
