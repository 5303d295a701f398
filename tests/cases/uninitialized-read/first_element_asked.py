# expect: 6 uninitialized-read related 5
# why: The loop asks for an element ahead of the first write.
# check: path.shape == (5,)
import numpy as np
path = np.empty(5)
step = path[0] + 1.0
path[:] = step
