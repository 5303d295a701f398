# expect: nothing
# why: contextlib.suppress is a way of catching, too
import contextlib
import numpy as np
total = np.zeros(3)
for part in (np.ones(3), np.ones(4), np.ones(1)):
    with contextlib.suppress(ValueError):
        total = total + part
