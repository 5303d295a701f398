# expect: 7 dtype-mismatch related 6
# why: a fraction of a day is no whole number of days
# raises: UFuncTypeError
import numpy as np

days = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")
noon = days + 0.5
