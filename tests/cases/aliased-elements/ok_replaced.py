# expect: nothing
# why: places get new arrays, the old one is never changed
import numpy as np
rows = [np.zeros(3)] * 3
rows[0] = rows[0] + 1.0
rows[1] = np.ones(3)
rows[1][0] = 7.0
