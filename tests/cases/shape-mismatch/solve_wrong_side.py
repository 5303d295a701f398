# expect: 7 shape-mismatch
# why: a (3, 3) system and a right side of 4 numbers
# raises: ValueError
import numpy as np
a = np.diag([2.0, 3.0, 4.0])
measured = np.ones(4)
x = np.linalg.solve(a, measured)
