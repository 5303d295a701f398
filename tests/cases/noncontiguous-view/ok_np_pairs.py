# expect: nothing
# why: the two columns lie beside each other
import numpy as np

parts = np.arange(6.0).reshape(3, 2)
z = parts.view(complex)[:, 0]
parts.shape = (6,)
print(z, parts)
