# expect: 7 memory-limit
# why: the square of the number of rows was given as the number of rows
# raises: MemoryError
import numpy as np
rows, columns = 3_000_000, 4
def table():
    return np.zeros((rows ** 2, columns))
scores = table()
