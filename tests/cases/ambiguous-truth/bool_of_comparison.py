# expect: 6 ambiguous-truth related 5
# why: bool() of three answers
# raises: ValueError
import numpy as np
v = np.array([3.0, 1.0, 2.0])
positive = bool(v > 0)
