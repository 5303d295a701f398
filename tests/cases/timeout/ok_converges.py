# expect: nothing
# why: the condition is reached: Newton's iteration for a square root
import numpy as np
target = np.array([2.0, 3.0, 10.0])
x = target.copy()
while np.abs(x * x - target).max() > 1e-9:
    x = 0.5 * (x + target / x)
