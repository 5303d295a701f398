# expect: 6 readonly-write related 5
# why: sort() works in place, on a view that is read-only.
# raises: ValueError
import numpy as np
scores = np.broadcast_to(np.array([3, 1, 2]), (2, 3))
scores.sort(axis=1)
