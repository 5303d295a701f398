# expect: nothing
# why: a copy is made where there is no view
import numpy as np

turned = np.arange(12.0).reshape(3, 4).T
try:
    flat = turned.reshape(-1, copy=False)
except ValueError:
    flat = turned.reshape(-1)
print(flat[:3])
