# expect: nothing
# why: None tests, len() and .size are no truth of the array
import numpy as np

def mean(x, weights=None):
    if weights is None:
        weights = np.ones(len(x))
    if len(x) and weights.size:
        return (x * weights).sum() / weights.sum()
    return 0.0

values = [mean(np.arange(4.0)), mean(np.arange(2.0), np.array([1.0, 3.0]))]
