# expect: nothing
# why: truth values are combined, each comparison in parentheses
import numpy as np

x = np.linspace(-1, 1, 5)
far = (x > 0.5) | (x < -0.5)
print(x[far], x[~far], far ^ (x > 0), np.sum(far - 0.5))
