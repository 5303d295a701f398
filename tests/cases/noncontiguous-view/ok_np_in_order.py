# expect: nothing
# why: whole rows are one block of memory
import hashlib

import numpy as np

image = np.zeros((4, 6), dtype=np.uint8)
rows = image[1:3]
print(hashlib.sha256(rows).hexdigest()[:4], rows.reshape(-1, copy=False).shape)
