# expect: 7 implicit-outer-broadcast
# why: np.subtract of (30,) and (30, 1) is (30, 30)
# check: gap.shape == (30, 30)
import numpy as np
table = np.arange(60.0).reshape(30, 2)
fit = table @ np.array([[0.5], [0.5]])
gap = np.subtract(table[:, 0], fit)
worst = np.abs(gap).max()
