# expect: nothing
# why: The calls stand alone.
import numpy as np
order = np.arange(5)
np.random.shuffle(order)
order.sort()
first = order[0]
