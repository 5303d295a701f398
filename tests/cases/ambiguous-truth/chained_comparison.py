# expect: 6 ambiguous-truth
# why: 0 < p < 1 is (0 < p) and (p < 1)
# raises: ValueError
import numpy as np
p = np.array([0.2, 1.4, -0.1])
valid = p[0 < p < 1]
