# expect: 7 dtype-mismatch related 6
# why: bincount counts whole numbers
# raises: TypeError
import numpy as np

labels = np.array([0.0, 1.0, 1.0, 2.0])
sizes = np.bincount(labels)
