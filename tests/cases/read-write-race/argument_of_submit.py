# expect: 9 read-write-race related 14
# why: every task is given the same array
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def scale(values, factor):
    values *= factor


field = np.ones((100, 100))
with ThreadPoolExecutor(max_workers=4) as pool:
    tasks = [pool.submit(scale, field, 1.0 + i) for i in range(4)]
print([task.result() for task in tasks], field.max())
