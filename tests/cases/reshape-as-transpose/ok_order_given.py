# expect: nothing
# why: The order of elements is given, so it was thought of.
import numpy as np
table = np.array([[1, 2, 3], [4, 5, 6]])
fortran = table.reshape((3, 2), order="F")
