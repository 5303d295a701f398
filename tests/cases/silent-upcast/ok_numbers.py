# expect: nothing
# why: Numbers don't widen an array.
import numpy as np
audio = np.ones(1000, dtype=np.float32)
gain = 0.5
louder = audio * gain * np.pi + 1.0
centred = louder - louder.mean()
