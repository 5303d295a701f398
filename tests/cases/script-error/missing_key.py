# expect: 7 script-error
# why: the configuration has 'rate', not 'learning_rate'
# raises: KeyError
import numpy as np
config = {"rate": 0.1}
weights = np.zeros(3)
weights -= config["learning_rate"] * np.ones(3)
