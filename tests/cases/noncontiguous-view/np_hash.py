# expect: 10 noncontiguous-view related 9
# why: a hash takes the bytes as they lie
# raises: ValueError
import hashlib

import numpy as np

image = np.zeros((4, 6), dtype=np.uint8)
crop = image[1:3, 1:4]
key = hashlib.sha256(crop).hexdigest()
