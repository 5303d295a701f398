# expect: 7 first-nan
# why: a loss of more than everything: log of -0.2
# check: np.isnan(growth)
import numpy as np

def log_growth(returns):
    return np.log(1.0 + returns)

growth = log_growth(np.array([0.1, -1.2, 0.05])).sum()
