# expect: 4 crash
# why: C code reads at address 0
import ctypes
ctypes.string_at(0)
