# expect: nothing
# why: The loop reads only what it wrote before.
import numpy as np
fib = np.empty(10)
for i in range(10):
    fib[i] = 1.0 if i < 2 else fib[i - 1] + fib[i - 2]
largest = fib.max()
