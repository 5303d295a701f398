# expect: 9 implicit-outer-broadcast
# why: two measured numbers minus a (2, 1) column is (2, 2), so the state becomes (4, 2)
# check: x.shape == (4, 2)
import numpy as np
x = np.array([[0.0], [0.0], [1.0], [0.5]])
h = np.eye(2, 4)
gain = h.T * 0.5
z = np.array([0.2, -0.1])
x = x + gain @ (z - h @ x)
