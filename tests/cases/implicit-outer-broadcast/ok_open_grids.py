# expect: nothing
# why: ogrid, sparse meshgrid and ix_ exist to be broadcast
import numpy as np
y, x = np.ogrid[-1:1:21j, -1:1:21j]
disc = x**2 + y**2 < 0.5
u, v = np.meshgrid(np.arange(5.0), np.arange(5.0), sparse=True)
plane = 2 * u + v
rows, columns = np.ix_(np.arange(4), np.arange(4))
index = 4 * rows + columns
