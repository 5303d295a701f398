# expect: 7 first-nan
# why: two NumPy scalars: 0 hits of 0 shots
# check: np.isnan(rate)
import numpy as np
hits = np.zeros(3, dtype=int)
shots = np.zeros(3, dtype=int)
rate = hits.sum() / shots.sum()
