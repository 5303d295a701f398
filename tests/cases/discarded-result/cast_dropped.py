# expect: 6 discarded-result
# why: astype gives a converted copy.
# check: labels.dtype == float
import numpy as np
labels = np.array([0.0, 1.0, 1.0])
labels.astype(int)
