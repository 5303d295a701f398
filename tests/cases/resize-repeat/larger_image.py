# expect: 6 resize-repeat
# why: Rows are not added: the elements run on in C order.
# check: canvas[0].tolist() == [0, 1, 2, 3]
import numpy as np
image = np.arange(6).reshape(2, 3)
canvas = np.resize(image, (3, 4))
