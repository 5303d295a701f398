# expect: nothing
# why: the windows stay inside the array
import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view
x = np.arange(10.0)
windows = as_strided(x, shape=(8, 3), strides=(8, 8), writeable=False)
same = (windows == sliding_window_view(x, 3)).all()
