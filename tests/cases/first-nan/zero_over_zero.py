# expect: 7 first-nan
# why: a row without counts: 0 / 0
# check: np.isnan(shares[1]).all()
import numpy as np
counts = np.array([[2.0, 3.0], [0.0, 0.0]])
totals = counts.sum(axis=1, keepdims=True)
shares = counts / totals
best = shares.max()
