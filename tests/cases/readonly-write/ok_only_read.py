# expect: nothing
# why: A broadcast view is read and never written.
import numpy as np
means = np.broadcast_to(np.arange(3.0), (4, 3))
data = np.ones((4, 3))
centred = data - means
centred[0] = 0.0
