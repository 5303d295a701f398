# expect: 6 ragged-array
# why: A list of lists that grew unevenly.
# raises: ValueError
import numpy as np
rows = [[1.0, 2.0], [3.0, 4.0, 5.0]]
table = np.asarray(rows)
