# expect: 9 inplace-cast
# why: zeros_like of an int array is int, and the noise is float
# raises: TypeError
import numpy as np
rng = np.random.default_rng(0)
reading = np.array([3, 5, 8])
total = np.zeros_like(reading)
for _ in range(3):
    total += reading + rng.normal(size=3)
