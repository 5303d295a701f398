# expect: 6 integer-wraparound
# why: Minus 3 is 65533 in uint16.
# check: height.tolist() == [65533, 0]
import numpy as np
depth = np.array([3, 0], dtype=np.uint16)
height = -depth
