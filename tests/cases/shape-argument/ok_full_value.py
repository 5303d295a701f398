# expect: nothing
# why: A shape and a value.
import numpy as np
rows, value = 4, 3
column = np.full(rows, value)
table = np.full((rows, value), 0.5)
