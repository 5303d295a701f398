# expect: 6 transpose-of-1d
# why: mean(axis=1).T is still (3,): each column is shifted, not each row
# check: abs(centred.mean(axis=1)).max() > 0.1
import numpy as np
m = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]])
centred = m - m.mean(axis=1).T
