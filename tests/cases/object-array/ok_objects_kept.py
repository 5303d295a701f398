# expect: nothing
# why: an array as a container of lists
import numpy as np
cells = np.empty((2, 2), dtype=object)
for place in np.ndindex(cells.shape):
    cells[place] = []
cells[0, 1].append(3)
