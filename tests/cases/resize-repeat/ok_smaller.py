# expect: nothing
# why: A smaller size cuts.
import numpy as np
samples = np.arange(8.0)
head = np.resize(samples, 4)
same = np.resize(samples, (2, 4))
