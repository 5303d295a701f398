# expect: 6 timeout
# why: the step jumps between two points, the change never gets small
import numpy as np
x = np.array([1.0, -1.0])
tolerance = 1e-9
while np.abs(2.0 * x).max() > tolerance: x = -x
