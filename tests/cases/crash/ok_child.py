# expect: nothing
# why: it is a child that the signal ends
import os
child = os.fork()
if child == 0:
    os.abort()
status = os.waitpid(child, 0)[1]
