# expect: 6 first-nan
# why: no value passes the threshold: the mean of an empty selection is 0 / 0
# check: np.isnan(typical)
import numpy as np
peaks = np.array([0.3, 0.8, 0.5])
typical = peaks[peaks > 1.0].mean()
