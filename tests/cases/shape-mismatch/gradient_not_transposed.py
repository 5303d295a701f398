# expect: 7 shape-mismatch
# why: (100, 8) @ (100, 3): a weight gradient needs the transposed inputs, x.T @ delta
# raises: ValueError
import numpy as np

def gradient(x, delta):
    return np.matmul(x, delta) / len(x)

x = np.ones((100, 8))
delta = np.ones((100, 3))
weights = np.zeros((8, 3))
weights -= 0.1 * gradient(x, delta)
