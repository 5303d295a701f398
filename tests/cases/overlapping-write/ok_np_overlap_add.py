# expect: nothing
# why: one window at a time is added to what others left
import numpy as np
from numpy.lib.stride_tricks import as_strided

out = np.zeros(10)
windows = as_strided(out, (4, 4), (16, 8))
for window, frame in zip(windows, np.ones((4, 4))):
    window += frame * np.hanning(4)
print(out)
