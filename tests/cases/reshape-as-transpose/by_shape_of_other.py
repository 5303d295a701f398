# expect: 9 reshape-as-transpose
# why: The shape of the other array is the transposed one.
# check: weights.shape == (2, 3)
import numpy as np
weights = np.linspace(0.0, 1.0, 6).reshape(2, 3)
grad = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

def step(w, g):
    return w - 0.1 * g.reshape(w.shape)

weights = step(weights, grad)
