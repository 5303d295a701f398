# expect: 7 noncontiguous-view related 6
# why: the real and the imaginary part are two columns apart
# raises: ValueError
import numpy as np

ends = np.arange(12.0).reshape(3, 4)[:, ::2]
z = ends.view(complex)
