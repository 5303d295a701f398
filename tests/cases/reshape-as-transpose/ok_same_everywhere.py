# expect: nothing
# why: All elements are the same.
import numpy as np
blank = np.zeros((2, 3))
turned = blank.reshape(3, 2)
