# expect: nothing
# why: the reduced axis stays, or is put back
import numpy as np
x = np.array([[1.0, 3.0], [2.0, 6.0]])
a = x / x.sum(axis=1, keepdims=True)
b = x / x.sum(axis=1)[:, None]
c = (x.T / x.sum(axis=1)).T
