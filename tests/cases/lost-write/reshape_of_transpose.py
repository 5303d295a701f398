# expect: 6 lost-write
# why: a transposed array cannot be reshaped in place: reshape copies here
# check: m.sum() == 15
import numpy as np
m = np.arange(6).reshape(2, 3)
m.T.reshape(-1)[::2] = 0
