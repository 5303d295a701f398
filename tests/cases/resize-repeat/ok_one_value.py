# expect: nothing
# why: One value is spread, as np.full would.
import numpy as np
level = np.array([0.5])
levels = np.resize(level, 6)
zeros = np.resize(0.0, (2, 2))
