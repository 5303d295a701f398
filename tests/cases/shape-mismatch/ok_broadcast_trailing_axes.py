# expect: nothing
# why: (4, 1) and (3,), and a stack with a row, differ in shape and fit
import numpy as np
images = np.ones((10, 8, 6, 3))
gain = np.array([0.9, 1.0, 1.1])
balanced = images * gain
table = np.arange(4.0)[:, None] + np.arange(3.0)
centred = table - table.mean(axis=1, keepdims=True)
