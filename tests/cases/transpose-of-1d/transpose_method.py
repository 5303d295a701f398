# expect: 6 transpose-of-1d
# why: v.transpose() is v: the distances are all 0
# check: distances[1] == 0.0
import numpy as np
tracks = [np.array([0.0, 1.0]), np.array([2.0, 5.0, 9.0])]
distances = [np.abs(v - v.transpose()).max() for v in tracks]
