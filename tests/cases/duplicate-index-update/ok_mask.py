# expect: nothing
# why: A mask selects each element once.
import numpy as np
x = np.array([1.0, -2.0, -3.0])
x[x < 0] += 1.0
x[np.flatnonzero(x > 0)] *= 2.0
