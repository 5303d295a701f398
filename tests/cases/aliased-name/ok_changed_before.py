# expect: nothing
# why: The change comes first, then the second name.
import numpy as np
x = np.zeros(3)
x += 1.0
last = x
total = last.sum() + x.sum()
