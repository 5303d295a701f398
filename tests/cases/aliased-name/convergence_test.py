# expect: 9 aliased-name related 8
# why: x_old is x, so the loop stops after one round.
# check: rounds == 1
import numpy as np
x = np.array([4.0, 9.0])
rounds = 0
while rounds < 50:
    x_old = x
    x *= 0.5
    rounds += 1
    if np.abs(x - x_old).max() < 1e-6:
        break
