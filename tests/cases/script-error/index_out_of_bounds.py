# expect: 8 script-error
# why: index 3 of an axis of size 3, in the last round
# raises: IndexError
import numpy as np
x = np.array([1.0, 2.0, 4.0])
steps = np.empty(3)
for i in range(3):
    steps[i] = x[i + 1] - x[i]
