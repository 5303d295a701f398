# expect: 6 shape-argument
# why: Sizes taken from another array's shape, one by one.
# raises: TypeError
import numpy as np
image = np.zeros((6, 8))
padded = np.empty(image.shape[0] + 2, image.shape[1] + 2)
