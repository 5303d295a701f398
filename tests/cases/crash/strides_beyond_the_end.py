# expect: 6 crash
# why: the view reaches 160 GB behind the eight bytes of the array
import numpy as np
from numpy.lib.stride_tricks import as_strided
x = np.zeros(1); view = as_strided(x, shape=(10**10,), strides=(16,))
last = view[-1]
