# expect: 5 ragged-array
# why: The second row lacks a column.
# raises: ValueError
import numpy as np
board = np.array([[1, 2, 3], [4, 5], [7, 8, 9]])
