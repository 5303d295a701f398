# expect: nothing
# why: Two buffers take turns.
import numpy as np
now = np.arange(4.0)
new = np.empty(4)
for _ in range(3):
    new[:] = now * 0.5
    change = np.abs(new - now).max()
    now, new = new, now
