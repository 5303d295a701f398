# expect: nothing
# why: x = x / 2 makes a new float array
import numpy as np
counts = np.bincount([0, 1, 1, 2])
counts = counts / counts.sum()
image = np.full((2, 2), 9, dtype=np.uint8)
image = image - image.mean()
