# expect: 7 shape-mismatch
# why: axis 1 of the images is 6, axis 0 of the filter is 3
# raises: ValueError
import numpy as np
images = np.ones((10, 6, 6))
kernel = np.ones((3, 3))
response = np.tensordot(images, kernel, axes=([1, 2], [0, 1]))
