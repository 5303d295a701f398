# expect: nothing
# why: The second argument is an element type, and meant as one.
import numpy as np
counts = np.zeros(4, int)
flags = np.ones(3, np.bool_)
codes = np.empty(2, "u1")
codes[:] = 7
