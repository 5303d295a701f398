# expect: nothing
# why: Every result is in the range of its type.
import numpy as np
image = np.array([[20, 100], [90, 50]], dtype=np.uint8)
dark = image - 20
twice = image * 2
other = twice + dark // 2
