# expect: 8 implicit-outer-broadcast
# why: every candidate's error is a (20, 20) table
# check: errors[1] > 0.1
import numpy as np
t = np.linspace(0.0, 1.0, 20)
design = np.stack([np.ones(20), t], axis=1)
y = 1.0 + 2.0 * t
errors = [np.abs(design @ w - y).mean() for w in (np.zeros((2, 1)), np.array([[1.0], [2.0]]))]
