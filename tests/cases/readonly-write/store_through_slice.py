# expect: 7 readonly-write related 5
# why: The slice is a view of the broadcast view, so it is read-only as well.
# raises: ValueError
import numpy as np
weights = np.broadcast_to(np.array([[0.25], [0.75]]), (2, 6))
left = weights[:, :3]
left[0] = 1.0
