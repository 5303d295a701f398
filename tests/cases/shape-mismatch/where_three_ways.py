# expect: 7 shape-mismatch
# why: the condition and the first choice are (4,), the second choice is (3,)
# raises: ValueError
import numpy as np
level = np.array([0.1, 0.9, 0.4, 0.7])
fallback = np.zeros(3)
picked = (np.where(level > 0.5, level, fallback) * 2).sum()
