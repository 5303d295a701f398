# expect: nothing
# why: x.T @ a @ x is the same number for a vector and for a column
import numpy as np
a = np.array([[2.0, 0.5], [0.5, 1.0]])
x = np.array([1.0, -1.0])
energy = 0.5 * x.T @ a @ x
length = np.dot(x.T, x)
