# expect: nothing
# why: The array holds floats.
import numpy as np
w = np.array([1.0, 2, 3])
for i in range(3):
    w[i] = w[i] / 2
zeros = np.zeros(3)
zeros[0] = 0.5
