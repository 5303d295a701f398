# expect: 7 shape-mismatch
# why: np.diff is one shorter than its input: (99,) and (100,)
# raises: ValueError
import numpy as np
t = np.linspace(0.0, 1.0, 100)
x = np.sin(t)
speed = np.divide(np.diff(x), t)
