# expect: nothing
# why: The shape is one tuple.
import numpy as np
rows, cols = 4, 3
grid = np.zeros((rows, cols))
noise = np.random.default_rng(0).random((rows, cols))
