# expect: 6 object-array related 5
# why: an int has no sqrt, and objects are asked for it one by one
# raises: TypeError
import numpy as np
table = np.array([[1, 2], [3, 4]], dtype=object)
roots = np.sqrt(table)
