# expect: 9 quadratic-append
# why: A helper joins blocks one by one.
# check: signal.size == 480
import numpy as np

def collect(blocks):
    joined = np.empty(0)
    for block in blocks:
        joined = np.concatenate((joined, block))
    return joined

signal = collect([np.ones(4) * i for i in range(120)])
