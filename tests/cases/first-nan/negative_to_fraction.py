# expect: 6 first-nan
# why: a negative number to the power 0.5
# check: np.isnan(speed[2])
import numpy as np
depth = np.array([4.0, 1.0, -0.5])
speed = 3.1 * depth**0.5
