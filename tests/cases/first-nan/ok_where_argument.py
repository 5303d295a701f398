# expect: nothing
# why: where= leaves out the divisions by 0, out= fills their places
import numpy as np
a = np.array([1.0, 0.0, 3.0])
b = np.array([2.0, 0.0, 0.0])
ratio = np.divide(a, b, out=np.zeros_like(a), where=b != 0)
logs = np.log(a, out=np.full_like(a, -50.0), where=a > 0)
