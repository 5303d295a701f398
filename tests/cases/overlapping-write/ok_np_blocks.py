# expect: nothing
# why: windows side by side don't overlap
import numpy as np
from numpy.lib.stride_tricks import as_strided

signal = np.arange(12.0)
blocks = as_strided(signal, (4, 3), (24, 8))
blocks -= blocks.mean(axis=1, keepdims=True)
print(signal)
