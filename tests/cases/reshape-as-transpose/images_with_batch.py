# expect: 6 reshape-as-transpose
# why: A batch of one image: height and channels change places.
# check: not np.allclose(moved[0, 0], image[0, :, :, 0])
import numpy as np
image = np.random.default_rng(1).random((1, 4, 5, 3))
moved = image.reshape(1, 3, 4, 5)
