# expect: 11 read-write-race related 15
# why: one element is read, and written a little later
from concurrent.futures import ThreadPoolExecutor

import numpy as np

counts = np.zeros(4)


def count(chunk):
    counts[0] += np.sum(chunk > 0)


with ThreadPoolExecutor(2) as pool:
    list(pool.map(count, np.random.default_rng(0).normal(size=(6, 100))))
print(counts)
