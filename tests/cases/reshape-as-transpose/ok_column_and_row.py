# expect: nothing
# why: A row becomes a column; no order can change.
import numpy as np
row = np.array([[1.0, 2.0, 3.0]])
column = row.reshape(3, 1)
back = column.reshape(1, -1)
lifted = row.reshape(3, 1) * row
