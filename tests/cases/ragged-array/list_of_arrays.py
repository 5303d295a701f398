# expect: 7 ragged-array
# why: Rows of 2, 3 and 2 elements are no table.
# raises: ValueError
import numpy as np
sizes = [2, 3, 2]
rows = [np.arange(n) for n in sizes]
table = np.array(rows)
