import numpy as np
w = np.zeros(3)
truth = np.empty((6, 3))
truth[0] = 1
for i in range(1, 6):
    truth[i] = truth[i - 1] * 0.5
best = w
for step in range(40):
    gradient = w - truth[step % 6]
    moved = w - 0.1 * gradient
    w = moved
    best = best + w
total = (best * w).sum()
logs = [np.log(row + 1) for row in truth]
