# expect: 6 truncating-write related 5
# why: The averages of neighbours lose their halves.
# check: height[1] == 2
import numpy as np
height = np.array([0, 1, 5, 2, 8])
height[1:-1] = (height[:-2] + height[2:]) / 2
