# expect: nothing
# why: 'in' finds the very same array by identity before it compares
import numpy as np
first = np.arange(3)
queue = [first, np.arange(4)]
known = first in queue
where = queue.index(first)
