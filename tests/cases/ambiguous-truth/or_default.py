# expect: 7 ambiguous-truth
# why: 'weights or default' asks an array for its truth
# raises: ValueError
import numpy as np

def mean(x, weights=None):
    weights = weights or np.ones_like(x)
    return (x * weights).sum() / weights.sum()

value = mean(np.array([1.0, 2.0]), np.array([0.5, 0.5]))
