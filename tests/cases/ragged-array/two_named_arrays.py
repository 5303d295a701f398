# expect: 8 ragged-array
# why: The validation part is shorter than the training part.
# raises: ValueError
import numpy as np
data = np.arange(10.0)
train = data[:7]
valid = data[7:]
both = np.array([train, valid])
