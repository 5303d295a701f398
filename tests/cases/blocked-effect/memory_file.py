# expect: 5 blocked-effect
# why: memory that no limit counts
import os
import numpy as np
descriptor = os.memfd_create("weights")
os.write(descriptor, np.zeros(3).tobytes())
