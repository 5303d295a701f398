# expect: 6 aliased-elements related 5
# why: the three rows are one array
# check: rows[2][0] == 5.0
import numpy as np
rows = [np.zeros(3)] * 3
rows[0][0] = 5.0
