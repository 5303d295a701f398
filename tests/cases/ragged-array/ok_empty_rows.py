# expect: nothing
# why: Rows that are all empty make an array without columns.
import numpy as np
rows = [[], [], []]
table = np.array(rows)
columns = table.shape[1]
