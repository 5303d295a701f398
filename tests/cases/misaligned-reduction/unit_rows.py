# expect: 7 misaligned-reduction related 6
# why: rows are to have length 1, columns are scaled
# check: abs((unit ** 2).sum(axis=1) - 1).max() > 0.1
import numpy as np; rng = np.random.default_rng(1)
points = rng.normal(size=(3, 3))
lengths = np.sqrt((points ** 2).sum(axis=1))
unit = points / lengths
