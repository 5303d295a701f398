# expect: 8 first-nan
# why: two zeros in a row have log -inf, and -inf - -inf is NaN
# check: np.isnan(steps[1])
import numpy as np
level = np.array([1.0, 0.0, 0.0, 2.0])
with np.errstate(divide="ignore"):
    decibel = 20.0 * np.log10(level)
steps = decibel[1:] - decibel[:-1]
