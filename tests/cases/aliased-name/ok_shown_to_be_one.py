# expect: nothing
# why: A script that shows what an assignment does.
import numpy as np
a = np.array([1, 2, 3])
b = a
b[0] = 99
print(a, b, np.shares_memory(a, b))
