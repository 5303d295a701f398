# expect: nothing
# why: reshape as a method and np.random.rand do take sizes one by one.
import numpy as np
grid = np.arange(12).reshape(3, 4)
noise = np.random.rand(3, 4)
identity = np.eye(3, 4)
