# expect: 6 transpose-of-1d
# why: linspace is 1-D, its .T too: the 'grid' is a line
# check: grid.shape == (50,)
import numpy as np
x = np.linspace(-1.0, 1.0, 50)
y = np.linspace(-1.0, 1.0, 50).T
grid = x**2 + y**2
