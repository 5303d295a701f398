# expect: nothing
# why: x = x + dx makes a new array, so the old one stays.
import numpy as np
x = np.zeros(3)
for _ in range(3):
    x_old = x
    x = x + 1.0
    change = np.abs(x - x_old).max()
