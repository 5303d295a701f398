# expect: nothing
# why: ravel and reshape of a contiguous array, .flat, .real and .view are windows on it
import numpy as np
m = np.arange(6.0).reshape(2, 3)
m.ravel()[0] = 5.0
m.reshape(-1)[::2] = 0.0
m.flat[[1, 3]] = 8.0
z = np.zeros(3, dtype=complex)
z.real[np.array([True, False, True])] = 1.0
m.view(np.int64)[1, 2] = 0
