# expect: nothing
# why: a script that shows in which order reshape takes the elements
import numpy as np
a = np.arange(6).reshape(3, 2)
print(np.reshape(a, (2, 3)))
