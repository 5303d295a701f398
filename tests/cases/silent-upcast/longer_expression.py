# expect: 7 silent-upcast related 6
# why: The sum inside gets no name, but what is made of it does.
# check: c.dtype == np.float64
import numpy as np
a = np.ones(100, dtype=np.float32)
b = np.zeros(100)
c = np.abs(a - b) * 2
