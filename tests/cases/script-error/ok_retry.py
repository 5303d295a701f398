# expect: nothing
# why: the third attempt succeeds
import numpy as np

def unstable(attempt):
    if attempt < 2:
        raise ConnectionError("busy")
    return np.ones(3)

for attempt in range(5):
    try:
        data = unstable(attempt)
    except ConnectionError:
        continue
    break
