# expect: 7 readonly-write related 6
# why: Memory of a bytes object can't be written.
# raises: ValueError
import numpy as np
packet = bytes(range(8))
samples = np.frombuffer(packet, dtype=np.uint8)
samples += 1
