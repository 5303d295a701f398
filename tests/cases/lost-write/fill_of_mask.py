# expect: 11 lost-write
# why: .fill(0) fills a copy; image[dark] = 0 would write
# check: image.min() == 1
import numpy as np

class Picture:
    def __init__(self, pixels):
        self.pixels = pixels

    def blacken(self, limit):
        self.pixels[self.pixels < limit].fill(0)

image = np.arange(1, 10).reshape(3, 3)
Picture(image).blacken(4)
