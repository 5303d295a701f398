# expect: 8 overlapping-write related 7
# why: of the values for one element the last stays
# check: abs(blocks.mean(axis=(2, 3))).max() > 0.01
import numpy as np

image = np.arange(25.0).reshape(5, 5)
blocks = np.lib.stride_tricks.as_strided(image, (4, 4, 2, 2), (40, 8, 40, 8))
blocks[:] = blocks - blocks.mean(axis=(2, 3), keepdims=True)
print(image)
