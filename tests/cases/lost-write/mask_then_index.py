# expect: 7 lost-write
# why: x[mask] is a copy: its first element is set and then gone
# check: x[1] == 2.0
import numpy as np
x = np.array([-1.0, 2.0, 3.0])
mask = x > 0
x[mask][0] = 9.0
