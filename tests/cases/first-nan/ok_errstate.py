# expect: nothing
# why: 0 / 0 on purpose, said so, counted by nan-functions
import numpy as np
hits = np.array([3.0, 0.0, 2.0])
shots = np.array([4.0, 0.0, 2.0])
with np.errstate(invalid="ignore"):
    rate = hits / shots
mean = np.nanmean(rate)

@np.errstate(invalid="ignore", divide="ignore")
def log_ratio(a, b):
    return np.log(a / b)

ratios = log_ratio(hits, shots)
