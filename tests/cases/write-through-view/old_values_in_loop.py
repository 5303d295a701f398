# expect: 7 write-through-view related 6
# why: u_old is u itself, so that the change is always 0
# check: change == 0.0
import numpy as np
u = np.array([1.0, 0.0, 0.0, 2.0])
u_old = u[:]
u[:] = 0.5 * u
change = np.abs(u - u_old).max()
