# expect: 9 overlapping-write related 8
# why: every sample is in three windows
# check: abs(windows.mean(axis=1)).max() > 0.01
import numpy as np
from numpy.lib.stride_tricks import as_strided

signal = np.arange(10.0)
windows = as_strided(signal, (8, 3), (8, 8))
windows -= windows.mean(axis=1, keepdims=True)
