# expect: 6 truncating-write related 5
# why: The padding value becomes 0.
# check: prices[-1] == 4
import numpy as np
prices = np.array([3, 4, 5])
prices[-1] = 4.75
