# expect: nothing
# why: out= writes into the array.
import numpy as np
image = np.array([-0.2, 0.5, 1.4])
np.clip(image, 0.0, 1.0, out=image)
np.sqrt(image, image)
np.add(image, 1.0, out=image)
