# expect: 9 ambiguous-truth
# why: the assertion gets three answers
# raises: ValueError
import numpy as np

class Scaler:
    def roundtrip(self, x):
        y = (x * 2.0) / 2.0
        assert x == y, "not the same"
        return y

same = Scaler().roundtrip(np.array([1.0, 2.0, 3.0]))
