# expect: 8 noncontiguous-view related 7
# why: every second sample is no block of memory
# raises: ValueError
import numpy as np

samples = np.arange(10, dtype=np.int16)
left = samples[::2]
raw = np.frombuffer(left, dtype=np.uint8)
