# expect: 7 shape-mismatch
# why: joining along axis 0 needs the same count of columns: 3 and 4
# raises: ValueError
import numpy as np

def with_header(header, rows):
    return np.concatenate([header, rows])

table = with_header(np.zeros((1, 4)), np.ones((10, 3)))
