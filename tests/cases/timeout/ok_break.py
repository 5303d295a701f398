# expect: nothing
# why: 'while True' with a way out
import numpy as np
x = np.array([1.0, 4.0])
while True:
    x = x / 2.0
    if x.max() < 0.1:
        break
