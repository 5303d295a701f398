# expect: nothing
# why: a list is copied by a slice, a mask copies too
import numpy as np
items = [1, 2, 3]
others = items[:]
others[0] = 5
x = np.array([1.0, -2.0])
old = x[x > 0]
x += 1.0
total = sum(items) + old.sum() + x.sum()
