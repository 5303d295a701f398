# expect: nothing
# why: The pieces are collected in a list.
import numpy as np
parts = []
for i in range(200):
    parts.append(i * i)
out = np.array(parts)
