# expect: nothing
# why: nothing is written: one array will do, and concatenate copies it
import numpy as np
pattern = [np.array([1.0, -1.0])] * 4
wave = np.concatenate(pattern)
wave[0] = 0.0
