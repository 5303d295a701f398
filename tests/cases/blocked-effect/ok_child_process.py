# expect: nothing
# why: a process of its own is as confined as the script
import os
import numpy as np
read, write = os.pipe()
child = os.fork()
if child == 0:
    os.write(write, np.arange(3.0).tobytes())
    os._exit(0)
os.waitpid(child, 0)
total = np.frombuffer(os.read(read, 24)).sum()
assert total == 3.0
