# expect: 8 dtype-mismatch
# why: truth values have no minus
# raises: TypeError
import numpy as np

old = np.array([True, False, True])
new = np.array([True, True, False])
changed = new - old
