# expect: nothing
# why: np.add.at applies each one.
import numpy as np
labels = np.array([0, 1, 1, 2, 1])
hist = np.zeros(3, dtype=int)
np.add.at(hist, labels, 1)
hist += np.bincount(labels, minlength=3)
