# expect: nothing
# why: Repeated indices on the right only.
import numpy as np
means = np.array([1.0, 2.0])
groups = np.array([0, 1, 1])
x = np.array([3.0, 4.0, 5.0])
x -= means[groups]
