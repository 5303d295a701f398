# expect: nothing
# why: a script that shows what np.resize does
import numpy as np
a = np.array([[0, 1], [2, 3]])
print(np.resize(a, (2, 3)))
