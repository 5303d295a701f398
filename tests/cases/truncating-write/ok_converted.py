# expect: nothing
# why: The program says that it rounds towards zero.
import numpy as np
bins = np.zeros(3, dtype=int)
values = np.array([0.2, 1.7, 2.9])
bins[:] = values.astype(int)
bins[0] = int(values[1])
bins[1] = values[2] // 1
