# expect: nothing
# why: matmul takes 1-D operands on either side and broadcasts stacks
import numpy as np
v = np.arange(3.0)
m = np.ones((4, 3))
stack = np.ones((7, 1, 3, 5))
a = m @ v
b = v @ m.T
c = v @ v
d = m @ stack
e = np.dot(m, 2.0)
