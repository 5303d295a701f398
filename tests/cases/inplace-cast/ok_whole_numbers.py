# expect: nothing
# why: //=, *= by an int, <<=, %= and adding bools keep int64
import numpy as np
n = np.arange(10)
n //= 2
n *= 3
n <<= 1
n %= 7
n += n > 2
