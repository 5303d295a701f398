# expect: nothing
# why: the program handles the signal
import signal
seen = []
signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
signal.raise_signal(signal.SIGTERM)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
