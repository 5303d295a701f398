# expect: nothing
# why: (1, 1) with (1,) is one number either way
import numpy as np
x = np.ones((1, 3))
w = np.full((3, 1), 0.5)
y = np.array([1.5])
error = x @ w - y
