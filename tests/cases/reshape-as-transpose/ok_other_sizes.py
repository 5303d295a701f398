# expect: nothing
# why: Axes are joined and split, which reshape is for.
import numpy as np
img = np.arange(24.0).reshape(4, 2, 3)
flat = img.reshape(8, 3)
blocks = img.reshape(2, 2, 2, 3).mean(axis=(1,))
