# expect: 7 mutated-argument related 10
# why: median() sorts each of the series that it is given
# check: first == [1.0, 0.0]
import numpy as np

def median(v):
    v.sort()
    return v[len(v) // 2]
a, b = np.array([5.0, 2.0, 1.0]), np.array([3.0, 4.0, 0.0])
low = median(a)
high = median(b)
first = [a[0], b[0]]
