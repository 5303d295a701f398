# expect: 7 first-nan
# why: the matrix product multiplies 0 by inf
# check: np.isnan(cost).any()
import numpy as np
distance = np.array([[0.0, 2.0], [np.inf, 0.0]])
choice = np.array([[1.0, 0.0], [0.0, 1.0]])
cost = choice @ distance
