# expect: 6 lost-write
# why: .astype(float) is a new array; the NaN goes nowhere
# check: (count == [0, 3, 0]).all()
import numpy as np
count = np.array([0, 3, 0])
count.astype(float)[count == 0] = np.nan
share = count / count.sum()
