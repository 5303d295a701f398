# expect: 6 resize-repeat
# why: The new half of the buffer is a copy of the old one.
# check: samples[4:].tolist() == [0.0, 1.0, 2.0, 3.0]
import numpy as np
samples = np.arange(4.0)
samples = np.resize(samples, (8,))
