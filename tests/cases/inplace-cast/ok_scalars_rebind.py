# expect: nothing
# why: /= on a Python or NumPy scalar binds the name anew
import numpy as np
total = 7
total /= 2
mean = np.arange(5).sum()
mean /= 5
largest = np.int64(3)
largest *= 0.5
