# expect: 9 overlapping-write related 8
# why: out is a view of overlapping windows
# check: windows[0].tolist() != np.hanning(3).tolist()
import numpy as np
from numpy.lib.stride_tricks import as_strided

signal = np.ones(10)
windows = as_strided(signal, (8, 3), (8, 8))
np.multiply(windows, np.hanning(3), out=windows)
print(signal)
