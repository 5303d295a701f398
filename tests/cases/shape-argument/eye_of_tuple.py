# expect: 6 shape-argument
# why: np.eye takes sizes one by one, and gets a tuple.
# raises: TypeError
import numpy as np
size = 3
identity = np.eye((size, size))
