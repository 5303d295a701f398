"""Declarations of ops: each module has a list ``OPS``. A new op is one entry in one of them."""
