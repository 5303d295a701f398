# expect: 8 write-through-view
# why: pivoting that swaps columns as if they were numbers
# check: (matrix[:, 0] == matrix[:, 2]).all()
import numpy as np

def pivot(matrix, i, j):
    """Swap two columns."""
    matrix[:, i], matrix[:, j] = matrix[:, j], matrix[:, i]
matrix = np.arange(9.0).reshape(3, 3)
pivot(matrix, 0, 2)
