# expect: 6 reshape-as-transpose
# why: A (2, 3) matrix reshaped to (3, 2) is not its transpose.
# check: not np.array_equal(columns, design.T)
import numpy as np
design = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
columns = design.reshape(3, 2)
