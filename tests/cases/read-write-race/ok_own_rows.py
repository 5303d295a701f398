# expect: nothing
# why: every thread has its own row, and its own element
from concurrent.futures import ThreadPoolExecutor

import numpy as np

table = np.zeros((4, 10_000))
sums = np.zeros(4)


def fill(i):
    row = table[i]
    row += np.random.default_rng(i).random(10_000)
    sums[i] += row.sum()


with ThreadPoolExecutor(4) as pool:
    list(pool.map(fill, range(4)))
print(sums)
