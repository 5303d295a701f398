# expect: nothing
# why: a daemon thread that never ends doesn't keep the script from ending
import threading
import time

def beat():
    while True:
        time.sleep(60)

threading.Thread(target=beat, daemon=True).start()
total = sum(range(1000))
