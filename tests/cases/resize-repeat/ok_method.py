# expect: nothing
# why: The method fills with zeros.
import numpy as np
samples = np.arange(4.0)
samples.resize(8, refcheck=False)
