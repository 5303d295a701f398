# expect: nothing
# why: an array of one element has a truth
import numpy as np
threshold = np.array([0.5])
if threshold > 0.1:
    level = float(threshold[0])
error = np.array(1.0)
while error > 0.1:
    error = error * 0.5
