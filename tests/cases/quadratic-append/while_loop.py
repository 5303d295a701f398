# expect: 7 quadratic-append
# why: A history that grows by one entry each step.
# check: 100 < history.size < 200
import numpy as np
history = np.array([1.0])
while history[-1] > 1e-3:
    history = np.hstack((history, history[-1] * 0.95))
