# expect: nothing
# why: there is one thread
from concurrent.futures import ThreadPoolExecutor

import numpy as np

total = np.zeros(10_000)


def work(seed):
    np.add(total, np.random.default_rng(seed).random(10_000), out=total)


with ThreadPoolExecutor(max_workers=1) as pool:
    list(pool.map(work, range(4)))
print(total.mean())
