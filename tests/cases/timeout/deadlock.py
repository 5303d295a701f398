# expect: 14 timeout
# why: a plain lock taken twice by one thread
import threading

class Account:
    def __init__(self):
        self.lock = threading.Lock()

    def add(self):
        with self.lock:
            self.log()

    def log(self):
        self.lock.acquire()

Account().add()
