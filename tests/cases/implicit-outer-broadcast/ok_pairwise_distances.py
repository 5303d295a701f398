# expect: nothing
# why: |a|^2 + |b|^2 - 2 a.b, the usual way to all distances within one set
import numpy as np
rng = np.random.default_rng(4)
points = rng.normal(size=(20, 3))
squares = (points**2).sum(axis=1, keepdims=True)
table = squares + squares[:, 0] - 2.0 * points @ points.T
nearest = np.sqrt(np.maximum(table, 0.0)).argsort(axis=1)[:, 1]
