# expect: nothing
# why: Only a number comes out.
import numpy as np
x = np.ones(100, dtype=np.float32)
w = np.ones(100)
mean = (x * w).sum() / w.sum()
