# expect: nothing
# why: exact arithmetic on objects that can do it
from fractions import Fraction
import numpy as np
parts = np.array([Fraction(1, 3), Fraction(1, 6)], dtype=object)
total = (parts * 2).sum()
