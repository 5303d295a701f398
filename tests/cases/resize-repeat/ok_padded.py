# expect: nothing
# why: np.pad fills with zeros.
import numpy as np
taps = np.array([1, 2, 3])
padded = np.pad(taps, (0, 3))
