# expect: nothing
# why: A running total in float64, on purpose.
import numpy as np
total = np.zeros(4)
for i in range(3):
    part = np.full(4, i, dtype=np.float32)
    total = total + part
mean = total / 3
