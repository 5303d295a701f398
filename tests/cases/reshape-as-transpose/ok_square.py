# expect: nothing
# why: Equal sizes: nothing was permuted.
import numpy as np
square = np.array([[1, 2], [3, 4]])
again = square.reshape(2, 2)
