# expect: nothing
# why: Integers index; floats are stored into floats.
import numpy as np
order = np.array([2, 0, 1])
values = np.empty(3)
values[order] = np.array([0.5, 1.5, 2.5])
order[0] = order[1]
