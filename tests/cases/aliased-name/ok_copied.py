# expect: nothing
# why: best is a copy.
import numpy as np
pos = np.zeros(3)
best = pos.copy()
for step in range(3):
    pos += 1.0
moved = pos - best
