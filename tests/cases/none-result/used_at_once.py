# expect: 6 none-result
# why: sort() works in place and gives None, which has no mean
# raises: AttributeError
import numpy as np
x = np.array([3.0, 1.0, 2.0])
m = x.sort().mean()
