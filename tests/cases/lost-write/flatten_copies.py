# expect: 6 lost-write
# why: .flatten() always copies; .ravel() or .flat would write here
# check: m[0, 0] == 0
import numpy as np
m = np.arange(6).reshape(2, 3)
m.flatten()[0] = 99
