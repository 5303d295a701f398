# expect: nothing
# why: any, all, array_equal and allclose give one bool
import numpy as np
x = np.array([1.0, -2.0, 3.0])
if (x > 0).any() and not (x > 0).all():
    x = np.abs(x)
assert np.allclose(x, x + 1e-12)
while np.abs(x).max() > 1.0:
    x = x / 2.0
same = "yes" if np.array_equal(x, x) else "no"
