# expect: 6 none-result
# why: np.random.shuffle works in place and gives None.
# check: order is None
import numpy as np
order = np.arange(5)
order = np.random.shuffle(order)
