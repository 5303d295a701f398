# expect: nothing
# why: Filled before it is read, as a whole or in parts.
import numpy as np
out = np.empty(4)
out.fill(0.5)
rows = np.empty((2, 3))
rows[0] = 1.0
rows[1] = 2.0
total = out.sum() + rows.sum()
