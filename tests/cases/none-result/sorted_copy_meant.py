# expect: 6 none-result
# why: x.sort() sorts x and gives None; np.sort(x) would give a sorted copy.
# check: ranked is None
import numpy as np
times = np.array([3.0, 1.0, 2.0])
ranked = times.sort()
fastest = times[0]
