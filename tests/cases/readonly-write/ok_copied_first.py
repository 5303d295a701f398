# expect: nothing
# why: A copy of the broadcast view is an array of its own.
import numpy as np
prices = np.array([9.5, 3.0])
table = np.broadcast_to(prices, (12, 2)).copy()
table[6:] *= 0.9
