# expect: 6 aliased-name related 5
# why: Both names get one array.
# check: ahead.tolist() == [1.0, 1.0]
import numpy as np
velocity = position = np.zeros(2)
velocity += 0.5
ahead = position + velocity
