# expect: nothing
# why: Where it wraps, the other difference is taken.
import numpy as np
a = np.array([10, 200], dtype=np.uint8)
b = np.array([12, 100], dtype=np.uint8)
distance = np.where(a > b, a - b, b - a)
also = np.maximum(a, b) - np.minimum(a, b)
