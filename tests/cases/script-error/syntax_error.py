# expect: 5 script-error
# why: the bracket closes with the wrong sign
# raises: SyntaxError
import numpy as np
x = np.zeros((3, 3)]
