# expect: nothing
# why: a view of that shape takes no room
import numpy as np
points = np.zeros(10_000_000)
pairs = np.broadcast_to(points, (10_000_000, 10_000_000))
corner = pairs[0, -1] + pairs[-1, 0]
