# expect: 5 none-result
# why: fill() gives nothing, and the buffer has no other name.
# check: weights is None
import numpy as np
weights = np.empty(4).fill(0.25)
