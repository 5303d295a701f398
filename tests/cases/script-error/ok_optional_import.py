# expect: nothing
# why: an optional module that is missing
import numpy as np
try:
    import module_that_does_not_exist as fast
except ImportError:
    fast = None
total = fast.sum(np.ones(3)) if fast else np.ones(3).sum()
