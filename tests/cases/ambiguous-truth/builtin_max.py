# expect: 7 ambiguous-truth
# why: max() compares the two arrays and needs one answer; np.maximum is elementwise
# raises: ValueError
import numpy as np
low = np.array([1.0, 5.0])
high = np.array([2.0, 3.0])
top = max(low, high)
