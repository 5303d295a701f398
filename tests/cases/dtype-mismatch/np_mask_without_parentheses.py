# expect: 7 dtype-mismatch
# why: | comes before > and <
# raises: TypeError
import numpy as np

x = np.linspace(-1, 1, 5)
far = x > 0.5 | x < -0.5
