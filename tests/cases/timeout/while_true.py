# expect: 5 timeout
# why: the loop has no way out
import numpy as np
x = np.ones(3)
while True: x = x * 0.5
