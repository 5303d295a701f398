# expect: 7 shape-mismatch
# why: the last window of 10 samples has 1 element where the others have 3, and stack needs equal shapes
# raises: ValueError
import numpy as np
signal = np.arange(10.0)
windows = [signal[i : i + 3] for i in range(0, len(signal), 3)]
frames = np.stack(windows)
