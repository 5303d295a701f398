# expect: 8 crash
# why: C is told of a trillion bytes behind the eight numbers
import ctypes
import numpy as np
x = np.ones(8)
pointer = x.ctypes.data_as(ctypes.c_void_p)
for size in (8, 64, 10**12):
    ctypes.memset(pointer, 0, size)
