# expect: nothing
# why: These calls are made for what they do.
import numpy as np
x = np.array([3, 1, 2])
x.sort()
np.random.shuffle(x)
np.fill_diagonal(np.eye(2), 0.0)
np.put(x, [0], 7)
