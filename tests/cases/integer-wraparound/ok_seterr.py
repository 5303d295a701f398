# expect: nothing
# why: the program says how overflow of numbers is to be handled
import numpy as np
old = np.seterr(over="ignore")
product = np.int16(32000) * np.int16(3)
np.seterr(**old)
