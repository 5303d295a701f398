# expect: nothing
# why: The program asks whether the rows fit.
import numpy as np
rows = [[1, 2], [3, 4, 5]]
try:
    table = np.array(rows)
except ValueError:
    table = np.array(rows, dtype=object)
