# expect: 7 first-nan
# why: an unreachable node has distance inf, and 0 * inf is NaN in the product
# check: np.isnan(total)
import numpy as np
distance = np.array([[0.0, 2.0], [np.inf, 0.0]])
load = np.array([3.0, 0.0])
cost = load[:, None] * distance
total = cost.sum()
