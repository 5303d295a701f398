# expect: 7 uninitialized-read related 5
# why: acc is read by += before any element was written.
# check: acc.shape == (4,)
import numpy as np
acc = np.empty(4)
for k in range(3):
    acc += np.full(4, k)
