# expect: 7 integer-wraparound
# why: The product of two sizes needs more than 32 bits.
# check: (areas < 0).any()
import numpy as np
widths = np.array([30_000, 90_000], dtype=np.int32)
heights = np.array([20_000, 80_000], dtype=np.int32)
areas = widths * heights
