# expect: 9 mutated-default related 6
# why: A keyword-only default is shared as well.
# check: one is two
import numpy as np

def shuffled(seed, *, order=np.arange(6)):
    """A random order."""
    rng = np.random.default_rng(seed)
    rng.shuffle(order)
    return order

one = shuffled(1)
two = shuffled(2)
