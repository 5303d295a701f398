# expect: 5 crash
# why: abort() ends the process with a signal
import os
def give_up():
    os.abort()
give_up()
