# expect: 8 shape-mismatch
# why: y is (50,) and pred is (50, 1): the (50, 50) result has no room in y
# raises: ValueError
import numpy as np
x = np.linspace(0.0, 1.0, 50).reshape(-1, 1)
y = np.linspace(0.0, 2.0, 50)
pred = x @ np.array([[2.0]])
y -= pred
