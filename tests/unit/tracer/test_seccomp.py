"""The filter's program, run by a small machine here, on each architecture; and the numbers."""

import errno
import os
import re
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jit_lsp.tracer import seccomp
from jit_lsp.tracer.seccomp import Reach, Rule

ALLOW = 0x7FFF0000
MACHINES = ("x86_64", "aarch64")
REACHES = (Reach(), Reach(*[True] * 6), Reach(programs=True, signals=True))


def program(machine, reach):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seccomp, "machine", lambda: machine)
        return seccomp._compile(seccomp.rules(reach))


def number(machine, call):
    return seccomp._NUMBERS[call][MACHINES.index(machine)]


def verdict(steps, machine, call, arguments=(0,) * 6):
    """What the kernel makes of a call: see ``bpf_check_classic`` and ``struct seccomp_data``."""
    data = {0: call, 4: seccomp._ARCHITECTURES[machine]}
    data |= {16 + 8 * i: value & 0xFFFFFFFF for i, value in enumerate(arguments)}
    at, value = 0, 0
    while True:
        code, yes, no, k = steps[at]
        at += 1
        if code == 0x20:
            value = data[k]
        elif code == 0x54:
            value &= k
        elif code == 0x05:
            at += k
        elif code == 0x15:
            at += yes if value == k else no
        elif code == 0x35:
            at += yes if value >= k else no
        else:
            assert code == 0x06
            return k


def refused(rule, arguments):
    if rule.argument is None:
        return True
    value = arguments[rule.argument] & rule.mask
    return (value in rule.values) != rule.unless if rule.values else value != 0


INTERESTING = st.sampled_from([0, 1, 2, 3, 8, 10, 15, 16, 17, 40, 0x5412, 0x8901, 0x10000000, -1,
                               os.getpid(), socket.SOCK_DGRAM | socket.SOCK_CLOEXEC])  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("reach", REACHES, ids=("alone", "all", "landlock"))
@settings(deadline=None, max_examples=40)
@given(arguments=st.tuples(*[INTERESTING] * 6))
def test_each_call_is_refused_as_the_table_says(machine, reach, arguments):
    steps = program(machine, reach)
    table = list(seccomp.rules(reach))
    for call in seccomp._NUMBERS:
        if number(machine, call) is None:
            continue
        first = next((r for r in table if r.call == call and refused(r, arguments)), None)
        expected = ALLOW if first is None else 0x00050000 | first.error
        assert verdict(steps, machine, number(machine, call), arguments) == expected, call


@pytest.mark.parametrize("machine", MACHINES)
def test_what_the_table_does_not_name_is_allowed(machine):
    steps = program(machine, Reach())
    named = {numbers[MACHINES.index(machine)] for numbers in seccomp._NUMBERS.values()}
    for call in range(470):
        if call not in named:
            assert verdict(steps, machine, call) == ALLOW


def test_other_numberings_are_refused():
    steps = program("x86_64", Reach())
    assert verdict(steps, "x86_64", 0x40000000 + 59) == 0x00050000 | errno.ENOSYS
    assert verdict(steps, "aarch64", 59) == 0x80000000  # the process ends


@pytest.mark.parametrize("machine", MACHINES)
def test_the_program_is_one_that_the_kernel_takes(machine):
    steps = program(machine, Reach())
    assert len(steps) < 4096
    for at, (code, yes, no, _) in enumerate(steps):
        assert 0 <= yes <= 255 and 0 <= no <= 255
        assert at + 1 + max(yes, no) < len(steps) or code == 0x06


HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",  # what aarch64 uses
}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_the_kernels(machine):
    header = Path(HEADERS[machine])
    if not header.exists():
        pytest.skip("no kernel headers here")
    pairs = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\n", header.read_text())
    known = {name: int(value) for name, value in pairs}
    for call in seccomp._NUMBERS:
        ours = number(machine, call)
        if call in known or ours is None or ours < 450:  # the header may be older than the call
            assert known.get(call) == ours, call


def test_rules_name_calls_that_have_numbers():
    for reach in REACHES:
        for rule in seccomp.rules(reach):
            assert isinstance(rule, Rule)
            assert rule.call in seccomp._NUMBERS
