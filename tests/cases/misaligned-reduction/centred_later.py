# expect: 8 misaligned-reduction related 6
# why: the mean of each row is taken from the columns
# check: abs(centred.mean(axis=1)).max() > 0.1
import numpy as np
samples = np.random.default_rng(0).normal(size=(4, 4))
means = np.mean(samples, axis=1)
half = 2.0 * samples
centred = samples - means
