# expect: nothing
# why: Assigned, not updated: the last one wins, which is what was asked for.
import numpy as np
last_seen = np.zeros(3, dtype=int)
labels = np.array([0, 1, 1])
last_seen[labels] = np.arange(3)
flags = np.zeros(3, dtype=bool)
flags[labels] |= True
