# expect: 8 implicit-outer-broadcast
# why: solving for a column gives a column; a @ x - b is (6, 6)
# check: norm > 1e-6
import numpy as np
a = np.diag(np.arange(1.0, 7.0))
b = np.arange(6.0)
x = np.linalg.solve(a, b[:, None])
norm = np.abs(a @ x - b).max()
