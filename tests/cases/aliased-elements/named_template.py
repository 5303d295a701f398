# expect: 7 aliased-elements related 6
# why: both layers, and the template, are one array
# check: template[1, 1] == 9.0
import numpy as np
template = np.eye(2)
layers = [template] * 2
layers[1][1, 1] = 9.0
