# expect: nothing
# why: so is raise SystemExit without a status
import numpy as np
x = np.arange(3)
if x.sum() == 3:
    raise SystemExit
x = x[10]
