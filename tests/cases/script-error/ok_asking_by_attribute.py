# expect: nothing
# why: hasattr, getattr and dict.get ask without failing
import numpy as np
x = np.arange(3)
kind = "array" if hasattr(x, "shape") else "other"
unit = getattr(x, "unit", "m")
rate = {"a": 1}.get("b", 0)
