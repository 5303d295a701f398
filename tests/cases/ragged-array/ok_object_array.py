# expect: nothing
# why: An array of arrays that is asked for.
import numpy as np
rows = [np.arange(n) for n in (2, 3, 2)]
table = np.array(rows, dtype=object)
total = sum(row.sum() for row in table)
