# expect: nothing
# why: Arrays of different lengths are joined, not stacked.
import numpy as np
rows = [np.arange(n) for n in (2, 3, 2)]
flat = np.concatenate(rows)
starts = np.cumsum([0] + [len(row) for row in rows[:-1]])
