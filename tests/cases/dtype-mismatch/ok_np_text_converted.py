# expect: nothing
# why: the text is converted first
import numpy as np

table = np.array([line.split(",") for line in ["1.5,2", "0.5,4"]])
print(table.astype(float).mean(axis=0), np.char.add(table, "!"))
