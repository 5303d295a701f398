# expect: 9 duplicate-index-update
# why: Each bond adds to both of its atoms; atom 1 is in two.
# check: force.sum() != 0.0
import numpy as np
first = np.array([0, 1])
second = np.array([1, 2])
both = np.concatenate([first, second])
force = np.zeros(3)
force[both] += np.array([1.0, 1.0, -1.0, -1.0])
