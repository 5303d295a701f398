# expect: 8 noncontiguous-view related 7
# why: no view of a transpose has its elements in another order
# raises: ValueError
import numpy as np

x = np.arange(12.0).reshape(3, 4)
turned = x.T
flat = turned.reshape(-1, copy=False)
