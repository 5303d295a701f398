# expect: 8 shape-mismatch related 6
# why: the weight was reshaped to (10, 16) where 'batch @ w' needs (16, 10)
# raises: ValueError
import numpy as np
params = np.linspace(-1.0, 1.0, 160)
w = params.reshape(10, 16)
batch = np.ones((32, 16))
scores = np.maximum(batch @ w, 0.0)
