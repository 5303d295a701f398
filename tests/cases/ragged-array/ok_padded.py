# expect: nothing
# why: Rows are padded to one length first.
import numpy as np
rows = [[1, 2], [3, 4, 5]]
width = max(map(len, rows))
table = np.array([row + [0] * (width - len(row)) for row in rows])
