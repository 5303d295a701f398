# expect: 8 overlapping-write related 7
# why: frames overlap by half
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

signal = np.sin(np.arange(64.0))
frames = sliding_window_view(signal, 16, writeable=True)[::8]
frames *= np.hanning(16)
print(frames.shape)
