# expect: 7 silent-upcast related 6
# why: np.linspace gives float64.
# check: faded.dtype == np.float64
import numpy as np
samples = np.arange(64).astype(np.float32)
fade = np.linspace(1.0, 0.0, 64)
faded = samples * fade
