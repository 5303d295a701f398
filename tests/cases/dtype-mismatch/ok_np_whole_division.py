# expect: nothing
# why: // of whole numbers is whole
import numpy as np

x = np.arange(12.0)
print(x[len(x) // 2], x[: len(x) // 2], x.reshape(len(x) // 2, 2).shape)
