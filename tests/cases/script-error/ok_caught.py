# expect: nothing
# why: each exception is caught by the user's code
import numpy as np
config = {"rate": 0.1}
try:
    rate = config["learning_rate"]
except KeyError:
    rate = 0.01
try:
    inverse = np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError:
    inverse = np.linalg.pinv(np.zeros((2, 2)))
finally:
    done = True
