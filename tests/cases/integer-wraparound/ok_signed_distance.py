# expect: nothing
# why: The difference of two counters, read as a signed number.
import numpy as np
sent = np.array([2, 250], dtype=np.uint8)
seen = np.array([250, 245], dtype=np.uint8)
ahead = (sent - seen).astype(np.int8)
same = (sent - seen).view(np.int8)
