# expect: nothing
# why: NaN is an argument: values out of range are marked as missing
import numpy as np
x = np.array([0.2, 7.0, 0.4])
valid = np.where(x < 1.0, x, np.nan)
padded = np.pad(x, 1, constant_values=np.nan)
inside = np.interp([0.5, 9.0], [0.0, 1.0], [0.0, 2.0], right=np.nan)
lagged = np.concatenate([[np.nan], x[:-1]])
mean = np.nanmean(valid)
