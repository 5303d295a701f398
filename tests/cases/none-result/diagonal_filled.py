# expect: 6 none-result
# why: np.fill_diagonal changes the matrix and gives None.
# check: distances is None
import numpy as np
distances = np.ones((3, 3))
distances = np.fill_diagonal(distances, 0.0)
