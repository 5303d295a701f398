# expect: nothing
# why: the subscripts before the last one are of a list, a dict and an object array, which hand out themselves
import numpy as np
layers = [np.zeros(3), np.zeros((2, 2))]
layers[1][0] = 1.0
state = {"v": np.zeros(4)}
state["v"][[0, 2]] = 2.0
ragged = np.empty(2, dtype=object)
ragged[0], ragged[1] = np.zeros(2), np.zeros(3)
ragged[1][:] = 4.0
