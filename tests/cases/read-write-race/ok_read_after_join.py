# expect: nothing
# why: what is read before the join is another array, and the sum comes behind it
import threading

import numpy as np

total = np.zeros(10_000)
known = np.ones(10_000)


def work():
    np.add(total, 1.0, out=total)


thread = threading.Thread(target=work)
thread.start()
print(known.sum())
thread.join()
print(total.sum())
