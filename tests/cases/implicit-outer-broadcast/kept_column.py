# expect: 8 implicit-outer-broadcast
# why: a slice keeps the column (9, 1), an index drops it
# check: rise.shape == (9, 9)
import numpy as np
log = np.arange(27.0).reshape(9, 3) ** 2
opening = log[:, :1]
closing = log[:, 2]
rise = closing - opening
mean_rise = rise.mean()
