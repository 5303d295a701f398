# expect: 6 shape-argument
# why: np.full takes the shape, then the value; the third is the element type.
# raises: TypeError
import numpy as np
h, w = 2, 3
grid = np.full(h, w, 0.5)
