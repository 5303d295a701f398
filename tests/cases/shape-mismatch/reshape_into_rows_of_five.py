# expect: 6 shape-mismatch related 5
# why: 12 elements don't go into 5 rows
# raises: ValueError
import numpy as np
x = np.arange(12)
table = x.reshape(5, -1)
