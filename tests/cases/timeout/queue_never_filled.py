# expect: 5 timeout
# why: nobody puts anything in
import queue
jobs = queue.Queue()
first = jobs.get()
