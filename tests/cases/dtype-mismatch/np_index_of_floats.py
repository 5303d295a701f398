# expect: 7 dtype-mismatch related 6
# why: a division gives floats, whatever it divides
# raises: IndexError
import numpy as np

half = np.arange(0, 8, 2) / 2
first = np.arange(10.0)[half]
