# expect: nothing
# why: An image of bytes takes colours that are computed.
import numpy as np
image = np.zeros((2, 2), dtype=np.uint8)
image[0] = np.array([0.25, 0.5]) * 255
image[1, 1] = 127.5
