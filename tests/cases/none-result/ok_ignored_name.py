# expect: nothing
# why: The underscore says that the result doesn't matter.
import numpy as np
order = np.arange(5)
_ = np.random.default_rng(0).shuffle(order)
_ = order.sort()
