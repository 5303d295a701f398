# expect: nothing
# why: The result is taken modulo 256 on purpose.
import numpy as np
counter = np.array([250, 3], dtype=np.uint8)
step = np.array([10, 10], dtype=np.uint8)
later = (counter + step) & 0xFF
back = 0xFF & (later - step)
