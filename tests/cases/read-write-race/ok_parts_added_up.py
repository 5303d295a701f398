# expect: nothing
# why: the threads make parts, and one thread adds them up
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def part(seed):
    values = np.zeros(10_000)
    values += np.random.default_rng(seed).random(10_000)
    return values


total = np.zeros(10_000)
with ThreadPoolExecutor(4) as pool:
    for values in pool.map(part, range(4)):
        total += values
print(total.mean())
