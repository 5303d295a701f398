# expect: nothing
# why: an exit status is no signal
import sys
import numpy as np
sys.exit(0 if np.ones(2).sum() == 2.0 else 1)
