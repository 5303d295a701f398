# expect: nothing
# why: The axes are permuted by transpose.
import numpy as np
img = np.arange(12).reshape(2, 2, 3)
chw = img.transpose(2, 0, 1)
hwc = np.moveaxis(chw, 0, -1)
