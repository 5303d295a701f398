# expect: 6 misaligned-reduction
# why: element (i, j) is divided by the sum of row j
# check: shares.sum(axis=1)[0] != 1.0
import numpy as np
votes = np.array([[1.0, 3.0], [2.0, 6.0]])
shares = votes / votes.sum(axis=1)
