# expect: 7 uninitialized-read related 5
# why: The matrix was meant to be filled in between.
# check: y.shape == (2,)
import numpy as np
weights = np.empty((2, 2))
x = np.array([1.0, 2.0])
y = weights @ x
