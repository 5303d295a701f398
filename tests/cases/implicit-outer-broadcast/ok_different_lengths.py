# expect: nothing
# why: (5, 1) with (3,): a table of 5 times by 3 rates, no two sides of one length
import numpy as np
data = np.arange(10.0).reshape(5, 2)
times = data @ np.array([[1.0], [0.0]])
rates = np.array([0.1, 0.2, 0.3])
decay = np.exp(-times * rates)
