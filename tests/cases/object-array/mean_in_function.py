# expect: 6 object-array related 7
# why: the rows come with None for what was not measured
# raises: TypeError
import numpy as np
def centre(rows):
    return rows - rows.mean(axis=0)
samples = np.array([[1.0, None], [2.0, 5.0]])
centred = centre(samples)
