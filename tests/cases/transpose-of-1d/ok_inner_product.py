# expect: nothing
# why: x.T @ y, the textbook's inner product, is right for vectors as it is for columns
import numpy as np

def residual_norm(a, x, b):
    r = a @ x - b
    return np.sqrt(r.T @ r)

a = np.array([[2.0, 1.0], [1.0, 3.0]])
b = np.array([1.0, 2.0])
norm = residual_norm(a, np.zeros(2), b)
