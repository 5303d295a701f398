# expect: nothing
# why: The names say that the repetition is wanted.
import numpy as np
pattern = np.array([1, 0, 0, 1])
row = np.resize(pattern, 10)
colours = np.array(["r", "g", "b"])
used = np.resize(colours, 7)
