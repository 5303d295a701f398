# expect: 4 timeout
# why: waits for nothing
ready = False
while not ready: pass
