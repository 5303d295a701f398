# expect: nothing
# why: 1 / 0 and log(0) are infinite; so are the sums and the maximum
import numpy as np
with np.errstate(divide="ignore"):
    odds = np.array([1.0, 2.0]) / np.array([0.0, 4.0])
    logs = np.log(np.array([0.0, 1.0]))
largest = odds.max()
total = odds.sum() + np.exp(logs).sum()
distance = np.minimum(np.inf, odds)
