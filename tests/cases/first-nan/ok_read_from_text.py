# expect: nothing
# why: an empty cell becomes NaN while reading, which is not arithmetic
import io
import numpy as np
text = io.StringIO("1.0,,3.0\n4.0,5.0,")
table = np.genfromtxt(text, delimiter=",")
words = np.array(["1.5", "nan"]).astype(float)
maybe = np.array([1.0, None], dtype=float)
columns = np.nanmean(table, axis=0)
