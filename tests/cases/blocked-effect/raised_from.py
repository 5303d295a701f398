# expect: 10 blocked-effect
# why: the script's own exception, raised from what the sandbox refused
import os
import numpy as np

def share(x):
    try:
        descriptor = os.memfd_create("shared")
    except OSError as error:
        raise RuntimeError("no memory to share") from error
    os.write(descriptor, x.tobytes())

share(np.arange(3))
