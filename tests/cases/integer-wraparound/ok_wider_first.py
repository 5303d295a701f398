# expect: nothing
# why: Converted to a type that has room.
import numpy as np
frame0 = np.array([[10, 200], [30, 40]], dtype=np.uint8)
frame1 = np.array([[12, 200], [30, 10]], dtype=np.uint8)
diff = frame0.astype(np.int16) - frame1
bright = np.minimum(frame0.astype(int) * 2, 255).astype(np.uint8)
