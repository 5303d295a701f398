# expect: 7 lost-write
# why: np.add.at works in place, on a copy of the chosen rows
# check: table.sum() == 0.0
import numpy as np
table = np.zeros((4, 3))
chosen = table[:, 0] == 0.0
np.add.at(table[chosen], (np.array([0, 0]), np.array([1, 2])), 1.0)
