# expect: 8 discarded-result
# why: np.sqrt without out= changes nothing.
# check: sigma == 5.0
import numpy as np

def spread(values):
    variance = ((values - values.mean()) ** 2).mean(keepdims=True)
    np.sqrt(variance)
    return variance

sigma = spread(np.array([1.0, 3.0, 5.0, 7.0]))
