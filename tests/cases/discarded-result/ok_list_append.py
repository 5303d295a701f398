# expect: nothing
# why: A list's own append.
import numpy as np
parts = []
for n in range(3):
    parts.append(np.arange(n))
joined = np.concatenate(parts)
