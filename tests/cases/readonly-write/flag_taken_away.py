# expect: 10 readonly-write related 6
# why: The program itself made the table read-only, further up.
# raises: ValueError
import numpy as np
TABLE = np.linspace(0.0, 1.0, 5)
TABLE.flags.writeable = False

def scaled(factor):
    values = TABLE * factor
    TABLE[0] = factor
    return values

scaled(2.0)
