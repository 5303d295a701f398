# expect: 6 timeout
# why: sleeps for a quarter of an hour, in a function
import time

def wait_for_data(seconds):
    time.sleep(seconds)

wait_for_data(1000)
