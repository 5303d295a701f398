# expect: nothing
# why: reshape copies where it has to, and tobytes always
import numpy as np

turned = np.arange(12.0).reshape(3, 4).T
print(turned.reshape(-1)[:3], len(turned.tobytes()), turned.ravel("K")[:3])
