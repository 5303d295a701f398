# expect: nothing
# why: each place gets an array of its own
import numpy as np
rows = [np.zeros(3) for _ in range(3)]
rows[0][0] = 5.0
sums = {name: np.zeros(2) for name in "ab"}
sums["a"] += 1.0
