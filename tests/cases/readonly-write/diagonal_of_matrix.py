# expect: 7 readonly-write related 6
# why: np.diagonal gives a read-only view; np.fill_diagonal would write.
# raises: ValueError
import numpy as np
cov = np.eye(4) * 0.5
variances = np.diagonal(cov)
variances[:] = 1.0
