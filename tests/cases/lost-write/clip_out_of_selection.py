# expect: 7 lost-write
# why: out=x[mask] is a copy that nobody holds
# check: x.max() == 7.0
import numpy as np
x = np.array([0.5, 7.0, 2.0, -3.0])
mask = x > 0
np.clip(x[mask], 0.0, 1.0, out=x[mask])
