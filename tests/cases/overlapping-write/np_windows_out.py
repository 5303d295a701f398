# expect: 8 overlapping-write related 7
# why: out is a view of overlapping windows
import numpy as np
from numpy.lib.stride_tricks import as_strided

signal = np.ones(10)
windows = as_strided(signal, (8, 3), (8, 8))
np.multiply(windows, np.hanning(3), out=windows)
print(signal)
