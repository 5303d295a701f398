# expect: 9 none-result
# why: The function returns None in place of the shuffled indices.
# check: mixed is None
import numpy as np

def split(n, seed):
    rng = np.random.default_rng(seed)
    order = np.arange(n)
    mixed = rng.shuffle(order)
    return mixed, order[: n // 2]

mixed, half = split(8, 0)
