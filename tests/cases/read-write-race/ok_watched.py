# expect: nothing
# why: somebody looks on while it goes on, on purpose
import threading

import numpy as np

field = np.zeros(10_000)


def work():
    np.add(field, 1.0, out=field)


thread = threading.Thread(target=work)
thread.start()
while thread.is_alive():
    print(field.mean())
thread.join()
print(field.mean())
