# expect: 6 shape-argument
# why: Lengths and sums, one by one.
# raises: TypeError
import numpy as np
names, days = ["a", "b"], range(7)
table = np.zeros(len(names), len(days) + 1)
