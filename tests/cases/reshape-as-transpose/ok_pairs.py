# expect: nothing
# why: Values are dealt out anew, as many rows as it takes.
import numpy as np
stream = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
pairs = stream.reshape(-1, 2)
