# expect: 7 integer-wraparound
# why: uint8 - uint8 wraps modulo 256: 10 - 12 is 254, not -2.
# check: diff.max() == 254
import numpy as np
frame0 = np.array([[10, 200], [30, 40]], dtype=np.uint8)
frame1 = np.array([[12, 200], [30, 10]], dtype=np.uint8)
diff = frame0 - frame1
moved = diff > 25
