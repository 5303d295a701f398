# expect: nothing
# why: relax() moves the field on in place and says by how much, until that is little
import numpy as np

def relax(u):
    before = u.copy()
    u[1:-1] = 0.5 * (u[2:] + u[:-2])
    return np.abs(u - before).max()
field = np.zeros(8)
field[0] = 1.0
while relax(field) > 1e-4:
    pass
total = field.sum()
