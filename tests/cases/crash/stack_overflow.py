# expect: 7 crash
# why: the C library uses a level of the stack for each of the million brackets
import ctypes
C = ctypes.CDLL(None)
pattern = b"(" * 10**6 + b")" * 10**6
compiled = ctypes.create_string_buffer(1024)
C.regcomp(compiled, pattern, 1)
