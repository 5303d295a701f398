# expect: nothing
# why: an RLock may be taken twice by its thread
import threading
lock = threading.RLock()
with lock:
    with lock:
        total = sum(range(10))
