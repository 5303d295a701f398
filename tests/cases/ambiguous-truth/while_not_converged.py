# expect: 7 ambiguous-truth
# why: the change is one number per coordinate
# raises: ValueError
import numpy as np
x = np.array([4.0, 9.0])
target = np.sqrt(x)
while np.abs(x - target) > 1e-6:
    x = 0.5 * (x + target**2 / x)
