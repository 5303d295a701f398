# expect: 8 transpose-of-1d
# why: d @ d.T of a (3,) vector is one number, not the 3 x 3 outer product, and it broadcasts into cov
# check: np.ptp(cov) == 0.0
import numpy as np
samples = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [3.0, 1.0, 0.0]])
cov = np.zeros((3, 3))
for d in samples - samples.mean(axis=0):
    cov += d @ d.T / len(samples)
