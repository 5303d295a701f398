# expect: nothing
# why: all pairs on purpose: None, newaxis, reshape, expand_dims in the operand
import numpy as np
x = np.linspace(0.0, 1.0, 15)
a = x[:, None] - x
b = np.abs(x - x[:, np.newaxis])
c = x.reshape(-1, 1) * x.reshape(1, -1)
d = np.expand_dims(x, 1) == x
e = np.hypot(x[:, None], x[None, :])
f = np.atleast_2d(x).T + x
