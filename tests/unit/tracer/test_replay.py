"""A run that is computed again from its trace: the same for what it knows, and told where not."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from jit_lsp.diagnostics import RULES
from jit_lsp.launch import Request
from jit_lsp.session import Cancel, Result, trace
from jit_lsp.tracer.kept import MOST_BYTES, Kept
from jit_lsp.tracer.replay import differences

from ..with_programs import programs
