# expect: 7 inplace-cast
# why: half of a uint8 image is float64 and can't be subtracted from the image in place.
# raises: TypeError
import numpy as np
image = np.ones((4, 4), np.uint8)
bright = True
if bright: image[1] -= 0.5 * image[1]
