"""What a loop binds in each iteration is no value that iterations hand on."""

import numpy as np

items = [np.ones(3), np.full(4, 2.0)]
made = []
for x in items:
    x = x * 2
    x = x + 1
    made.append(x)
y = x.sum()

weights = [np.ones((3, 2)), np.ones(4)]
steps = [np.ones((3, 2)), np.ones(4)]
for turn in range(3):
    for w, g in zip(weights, steps):
        w -= 0.1 * g
z = weights[0] @ np.ones(2)
print(y, w, z)
