# expect: 6 shape-argument
# why: cols was taken as the element type.
# raises: TypeError
import numpy as np
rows, cols = 4, 3
grid = np.zeros(rows, cols)
