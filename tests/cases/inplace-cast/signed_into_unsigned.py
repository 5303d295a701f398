# expect: 7 inplace-cast
# why: uint8 += int64 gives int64; a difference can be negative
# raises: TypeError
import numpy as np
frame = np.full((2, 3), 10, dtype=np.uint8)
drift = np.array([-1, 0, 1])
frame += drift
