# expect: 6 first-nan
# why: E[x^2] - E[x]^2 of three equal numbers rounds to -2e-15
# check: np.isnan(deviations[1])
import numpy as np
series = [np.arange(3.0), np.full(3, 2.7)]
deviations = [np.sqrt((x**2).mean() - x.mean() ** 2) for x in series]
