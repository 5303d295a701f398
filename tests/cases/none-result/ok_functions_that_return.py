# expect: nothing
# why: np.sort and permutation give new arrays.
import numpy as np
rng = np.random.default_rng(1)
x = np.array([3, 1, 2])
x = np.sort(x)
mixed = rng.permutation(x)
