# expect: 5 script-error
# why: nothing by that name is installed
# raises: ModuleNotFoundError
import numpy as np
import module_that_does_not_exist
