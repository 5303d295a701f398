# expect: 8 first-nan
# why: the second column never changes: its deviation is 0, and 0 / 0 goes into the table in place
# check: np.isnan(table[:, 1]).all()
import numpy as np
table = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
for j in range(2):
    table[:, j] -= table[:, j].mean()
    table[:, j] /= table[:, j].std()
