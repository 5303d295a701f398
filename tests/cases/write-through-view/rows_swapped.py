# expect: 6 write-through-view
# why: the first row is overwritten before the second gets it
# check: (table[0] == table[1]).all()
import numpy as np
table = np.arange(6.0).reshape(2, 3)
table[0], table[1] = table[1], table[0]
