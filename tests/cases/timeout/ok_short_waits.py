# expect: nothing
# why: every wait has an end
import queue
import threading
import time
time.sleep(0.01)
threading.Event().wait(0.01)
try:
    queue.Queue().get(timeout=0.01)
except queue.Empty:
    pass
