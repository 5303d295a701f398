# expect: 8 aliased-elements related 6
# why: every bucket gets what one gets
# check: buckets[0].sum() == buckets[1].sum() == 4
import numpy as np
def split(values, count):
    buckets = count * [np.zeros(2, dtype=int)]
    for v in values:
        buckets[v % count][v % 2] += 1
    return buckets
buckets = split([1, 2, 3, 4], 2)
