# expect: nothing
# why: Shape and type are known without a look at the memory.
import numpy as np
like = np.empty((2, 3), dtype=np.float32)
zeros = np.zeros_like(like)
zeros += like.shape[0]
