# expect: nothing
# why: it talks to itself
import socket
import threading
import numpy as np
left, right = socket.socketpair()
thread = threading.Thread(target=lambda: left.sendall(np.arange(3.0).tobytes()))
thread.start()
received = np.frombuffer(right.recv(24))
thread.join()
left.close()
right.close()
assert received.sum() == 3.0
