# expect: 6 script-error
# why: a plain bool that is False: no array is asked for its truth
# raises: AssertionError
import numpy as np
x = np.array([0.1, 0.2]).sum()
assert x == 0.3, f"not 0.3 but {x!r}"
