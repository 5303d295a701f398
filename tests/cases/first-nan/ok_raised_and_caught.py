# expect: nothing
# why: errstate turns the invalid operation into an exception, which the user's code handles
import numpy as np

def safe_log(x):
    with np.errstate(invalid="raise"):
        try:
            return np.log(x)
        except FloatingPointError:
            return np.zeros_like(x)

values = [safe_log(np.array([1.0, 2.0])), safe_log(np.array([-1.0, 2.0]))]
