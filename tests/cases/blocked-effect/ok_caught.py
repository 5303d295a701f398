# expect: nothing
# why: the script knows what to do without
import os
import tempfile
import numpy as np
try:
    descriptor = os.memfd_create("weights")
    file = open(descriptor, "wb")
except OSError:
    file = tempfile.TemporaryFile()
with file:
    file.write(np.zeros(3).tobytes())
