# expect: nothing
# why: A cell of a notebook shows its last value.
# %%
import numpy as np
x = np.array([3, 1, 2])
# %%
np.sort(x)
