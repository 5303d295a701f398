# expect: nothing
# why: all that is near a peak gets one value, however often
import numpy as np
from numpy.lib.stride_tricks import as_strided

near = np.zeros(12, dtype=bool)
peaks = np.arange(10) == 4
around = as_strided(near, (10, 3), (1, 1))
around[peaks] = True
around |= peaks[:, None]
print(near)
