# expect: nothing
# why: one mask or index list on the left writes in place, also augmented
import numpy as np
x = np.array([-1.0, 2.0, 3.0, -4.0])
rows = np.array([0, 2])
x[x < 0] = 0.0
x[rows] += 1.0
m = np.zeros((4, 4))
m[np.ix_(rows, rows)] = 1.0
m[rows[:, None], rows] *= 2.0
