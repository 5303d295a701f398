# expect: nothing
# why: out= is a temporary, but the call returns it
import numpy as np
a = np.arange(3.0)
total = np.add(a, 1.0, out=np.empty(3))
chosen = np.clip(a[[0, 2]], 0.5, 1.5, out=a[[0, 2]])
result = total.sum() + chosen.sum()
