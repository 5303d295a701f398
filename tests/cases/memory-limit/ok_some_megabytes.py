# expect: nothing
# why: 80 MB are no matter
import numpy as np
table = np.ones((1000, 10_000))
total = table.sum()
