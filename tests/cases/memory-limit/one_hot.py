# expect: 6 memory-limit
# why: one column for each number that there might be
# raises: ValueError
import numpy as np
labels = np.array([3, 2_000_000_000])
hot = np.eye(labels.max() + 1)[labels]
