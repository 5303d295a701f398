# expect: nothing
# why: The program tries, and copies where it may not write.
import numpy as np
samples = np.frombuffer(bytes(range(8)), dtype=np.uint8)
try:
    samples += 1
except ValueError:
    samples = samples + 1
