# expect: 9 implicit-outer-broadcast
# why: one side is (1, 12) by w.T @ x.T, the other (12, 1) by x @ w; both mean one number a sample
# check: change.shape == (12, 12)
import numpy as np
rng = np.random.default_rng(3)
x = rng.normal(size=(12, 3))
old = np.ones((3, 1))
new = old * 1.1
change = x @ new - old.T @ x.T
