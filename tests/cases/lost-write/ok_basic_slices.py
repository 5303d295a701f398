# expect: nothing
# why: slices, integers, .T, Ellipsis and None give views: these writes arrive
import numpy as np
a = np.zeros((6, 4))
a[1:3][0] = 5.0
a[2][1] = 1.0
a.T[0][2:4] = 7.0
a[..., 1][::2] = 2.0
a[:, None][5, 0, 3] = 3.0
assert a.sum() > 0.0
