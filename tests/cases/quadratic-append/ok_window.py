# expect: nothing
# why: A window of constant length slides on; it never grows.
import numpy as np
window = np.zeros(16)
for i in range(200):
    window = np.append(window[1:], float(i))
