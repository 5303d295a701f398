# expect: 7 dtype-mismatch
# why: a size is divided by /
# raises: TypeError
import numpy as np

x = np.arange(12.0)
pairs = x.reshape(len(x) / 2, 2)
