# expect: 7 first-nan
# why: the charge is used up after 100 of 400 hours, and the root of less than nothing is NaN
# check: np.isnan(charge).any()
import numpy as np
charge = np.array([1.0, 1.5])
for hour in range(400):
    charge = np.sqrt(charge**2 - 0.01)
