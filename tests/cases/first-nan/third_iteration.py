# expect: 8 first-nan
# why: the third period is 0, and x mod 0 is NaN
# check: np.isnan(phases[2]).all()
import numpy as np
t = np.arange(5.0)
phases = []
for period in np.array([2.0, 1.0, 0.0]):
    phases.append(t % period)
