# expect: 6 transpose-of-1d
# why: np.transpose(v) is v
# check: table.shape == (4,)
import numpy as np
v = np.array([1.0, 2.0, 3.0, 4.0])
table = v * np.transpose(v)
