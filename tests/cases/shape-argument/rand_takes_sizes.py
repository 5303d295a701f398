# expect: 5 shape-argument
# why: np.random.rand takes sizes one by one, and gets a tuple.
# raises: TypeError
import numpy as np
noise = np.random.rand((4, 3))
