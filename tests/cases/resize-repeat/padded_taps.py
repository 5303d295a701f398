# expect: 6 resize-repeat
# why: np.resize repeats what is there; np.pad or x.resize() would fill with zeros.
# check: padded.tolist() == [1, 2, 3, 1, 2, 3]
import numpy as np
taps = np.array([1, 2, 3])
padded = np.resize(taps, 6)
