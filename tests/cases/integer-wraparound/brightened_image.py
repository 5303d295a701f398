# expect: 6 integer-wraparound
# why: Twice 200 is 144 in uint8.
# check: bright.max() == 180
import numpy as np
image = np.array([[20, 200], [90, 130]], dtype=np.uint8)
bright = image * 2
