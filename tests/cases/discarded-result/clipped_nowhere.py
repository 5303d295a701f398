# expect: 6 discarded-result
# why: np.clip gives a clipped copy.
# check: image.max() == 1.4
import numpy as np
image = np.array([-0.2, 0.5, 1.4])
np.clip(image, 0.0, 1.0)
