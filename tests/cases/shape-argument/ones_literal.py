# expect: 5 shape-argument
# why: A second size in the place of the element type.
# raises: TypeError
import numpy as np
mask = np.ones(5, 5)
