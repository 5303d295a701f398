# expect: 1 crash
# why: it gets the signal by which the system makes room when memory has run out
import os
import signal
os.kill(os.getpid(), signal.SIGKILL)
