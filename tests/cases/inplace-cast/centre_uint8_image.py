# expect: 8 inplace-cast
# why: the mean is float64, the image uint8
# raises: TypeError
import numpy as np

def centred(image):
    image = image.copy()
    image -= image.mean()
    return image

flat = centred(np.full((4, 4), 200, dtype=np.uint8))
