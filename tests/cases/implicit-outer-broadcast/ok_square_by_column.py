# expect: nothing
# why: (6, 6) with (6, 1) and with (6,) stays (6, 6): nothing grew
import numpy as np
k = np.exp(-np.subtract.outer(np.arange(6.0), np.arange(6.0)) ** 2)
k -= k.mean(axis=1, keepdims=True)
shares = k / np.abs(k).sum(axis=1, keepdims=True)
scaled = k * np.arange(1.0, 7.0)
