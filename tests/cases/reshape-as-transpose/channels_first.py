# expect: 6 reshape-as-transpose
# why: reshape keeps the elements in order; axes are not swapped.
# check: not np.array_equal(red, img[:, :, 0])
import numpy as np
img = np.arange(12).reshape(2, 2, 3)
chw = img.reshape(3, 2, 2)
red = chw[0]
