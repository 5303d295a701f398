# expect: nothing
# why: the copy is written and then used under its name
import numpy as np
x = np.arange(5.0)
(picked := x[[1, 3]])[0] = 10.0
total = picked.sum()
