# expect: 8 aliased-name related 6
# why: best = pos copies nothing.
# check: best is pos
import numpy as np
pos = np.zeros(3)
best = pos
for step in range(3):
    pos += 1.0
moved = pos - best
