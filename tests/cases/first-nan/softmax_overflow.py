# expect: 8 first-nan
# why: exp(1000) is inf, and inf / inf is NaN; subtract the maximum first
# check: np.isnan(probs[0])
import numpy as np

def softmax(z):
    e = np.exp(z)
    return e / e.sum()

probs = softmax(np.array([1000.0, 10.0, 0.0]))
