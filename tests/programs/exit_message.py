"""Ends with a message on standard error."""
import sys

sys.exit("a message")
