"""Running a user's program and recording what its array operations did.

All modules of this package run in the user's interpreter and need the standard library alone,
except those that run in the server: ``trace`` (the recorded run as data), ``decode`` (hostile
frames to that data), ``operations``, ``sequences`` and ``lift`` (that data to a graph).
"""
