# expect: nothing
# why: Only the time of the call is wanted.
import time
import numpy as np
x = np.arange(1000)[::-1]
started = time.perf_counter()
np.sort(x)
taken = time.perf_counter() - started
