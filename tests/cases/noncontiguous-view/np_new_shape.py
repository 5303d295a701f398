# expect: 7 noncontiguous-view related 6
# why: the rows of a transpose are not one behind the other
# raises: AttributeError
import numpy as np

table = np.arange(6.0).reshape(2, 3).T
table.shape = (6,)
