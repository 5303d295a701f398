# expect: nothing
# why: the columns of an adjacency matrix are divided by degrees on purpose
import numpy as np
adjacency = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
degrees = adjacency.sum(axis=1)
walk = adjacency / degrees
