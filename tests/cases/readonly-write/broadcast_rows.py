# expect: 7 readonly-write related 6
# why: table is a view by np.broadcast_to: twelve rows that are one.
# raises: ValueError
import numpy as np
prices = np.array([9.5, 3.0])
table = np.broadcast_to(prices, (12, 2))
table[6:] *= 0.9
