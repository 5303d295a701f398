# expect: nothing
# why: a warning is no exception
import warnings
import numpy as np
warnings.warn("the grid is coarse", stacklevel=1)
grid = np.linspace(0.0, 1.0, 5)
