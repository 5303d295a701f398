"""A filter for system calls: the kernel refuses what no array program needs and what reaches beyond
the sandbox.

The filter is a program for the classic packet filter, made from a table of rules. What is refused
fails with an ordinary error number, so that the program sees an ``OSError``.

See https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Iterator
from typing import NamedTuple

from .kernel import PR_SET_NO_NEW_PRIVS, machine, prctl, system_call


class Reach(NamedTuple):
    """What other means confine already, so that the filter can let it be."""

    processes: bool = False
    """Processes outside can't be named."""
    signals: bool = False
    """Signals don't get to processes outside."""
    network: bool = False
    """There is no network but a loopback of its own."""
    sockets: bool = False
    """Unix sockets of other programs can't be connected to."""
    files: bool = False
    """Changes of files are private."""
    programs: bool = False
    """Programs that are started are confined as their starter is."""


class Rule(NamedTuple):
    """Refuses a call: always; or where an argument has bits of ``mask``; or where these bits are
    one of ``values`` (``unless``: none of them)."""

    call: str
    error: int = errno.EPERM
    argument: int | None = None
    mask: int = 0xFFFFFFFF
    values: tuple[int, ...] = ()
    unless: bool = False


def install(reach: Reach) -> None:
    """Filter the system calls of this process and of its children from now on.

    Raises:
        OSError: the kernel has no filters, or the system calls of this architecture aren't known.
    """
    if not machine():
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    steps = _compile(rules(reach))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    system_call(_number("seccomp"), _SET_MODE_FILTER, 0, program)


def rules(reach: Reach) -> Iterator[Rule]:
    """What is refused."""
    yield from map(Rule, _NEVER)
    for call in _ABSENT:
        yield Rule(call, errno.ENOSYS)
    yield Rule("clone", argument=0, mask=_NAMESPACES)
    yield Rule("prlimit64", argument=0)
    yield Rule("ioctl", argument=1, values=_TERMINAL)
    yield from _about_sockets(reach)
    if not reach.processes:
        yield from _about_processes()
    if not reach.processes and not reach.signals:
        yield from _about_signals()
    if not reach.files:
        yield from map(Rule, _METADATA)
        yield Rule("ioctl", argument=1, values=_FILE_FLAGS)
    if not reach.programs:
        yield Rule("execve", errno.EACCES)
        yield Rule("execveat", errno.EACCES)


def _about_sockets(reach: Reach) -> Iterator[Rule]:
    families: list[int] = []
    if reach.network:
        families += [socket.AF_INET, socket.AF_INET6, _AF_NETLINK]
    if reach.sockets:
        families.append(socket.AF_UNIX)
    if families:
        yield Rule("socket", errno.EACCES, 0, values=tuple(families), unless=True)
    else:
        yield Rule("socket", errno.EACCES)
    if not reach.sockets:  # a datagram socket of a pair can be sent to any address from
        yield Rule("socketpair", errno.EACCES, 1, 0xF, (socket.SOCK_DGRAM,))


def _about_processes() -> Iterator[Rule]:
    for call in ("sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        yield Rule(call, argument=0)
    for call in ("setpriority", "ioprio_set"):
        yield Rule(call, argument=0, values=(0, 1), unless=True)  # a single process
        yield Rule(call, argument=1)
    yield from map(Rule, _SHARED_MEMORY)


def _about_signals() -> Iterator[Rule]:
    """None but to oneself: which processes are one's own children the filter can't know."""
    for call in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        yield Rule(call, argument=0, values=(os.getpid(),), unless=True)
    yield Rule("tkill")
    yield Rule("pidfd_send_signal")
    yield Rule("fcntl", argument=1, values=_SIGNAL_OWNER)
    yield Rule("ioctl", argument=1, values=_SIGNAL_OWNER_IOCTL)


# ---------------------------------------------------------------- the filter's program

_SET_MODE_FILTER = 1
_ALLOW, _ERROR, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # a second numbering on x86_64
_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP, _AND, _RETURN = 0x20, 0x15, 0x35, 0x05, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # where `struct seccomp_data` has them

Step = tuple[int, int, int, int]


def _compile(table: Iterator[Rule]) -> list[Step]:
    steps: list[Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, _ARCHITECTURES[machine()]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_GREATER_EQUAL, 0, 1, _X32),
        (_RETURN, 0, 0, _ERROR | errno.ENOSYS),
    ]
    for rule in table:
        number = _number(rule.call)
        if number >= 0:
            body = _refusal(rule)
            steps += [(_JUMP_EQUAL, 0, len(body), number), *body]
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _refusal(rule: Rule) -> list[Step]:
    refuse: Step = (_RETURN, 0, 0, _ERROR | rule.error)
    if rule.argument is None:
        return [refuse]
    load: Step = (_LOAD, 0, 0, _ARGUMENTS + 8 * rule.argument)  # the low half; all are ints
    mask: Step = (_AND, 0, 0, rule.mask)
    values = rule.values or (0,)
    tests = [(_JUMP_EQUAL, len(values) - i, 0, value) for i, value in enumerate(values)]
    if rule.values and not rule.unless:  # equal leads to the refusal, else past it
        tests.append((_JUMP, 0, 0, 1))
    return [load, mask, *tests, refuse, (_LOAD, 0, 0, _NUMBER)]


def _number(call: str) -> int:
    number = _NUMBERS[call][("x86_64", "aarch64").index(machine())]
    return -1 if number is None else number


# ---------------------------------------------------------------- what is refused

_NEVER = (
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "pidfd_getfd", "move_pages", "migrate_pages", "kexec_load", "kexec_file_load", "init_module",
    "finit_module", "delete_module", "mount", "umount2", "pivot_root", "chroot", "fsopen",
    "fsconfig", "fsmount", "fspick", "move_mount", "open_tree", "open_tree_attr", "mount_setattr",
    "swapon", "swapoff", "reboot", "sethostname", "setdomainname", "iopl", "ioperm", "settimeofday",
    "clock_settime", "adjtimex", "clock_adjtime", "acct", "quotactl", "quotactl_fd", "bpf",
    "perf_event_open", "userfaultfd", "keyctl", "add_key", "request_key", "open_by_handle_at",
    "setns", "unshare", "syslog", "vhangup", "fanotify_init", "lookup_dcookie",
    "memfd_create", "memfd_secret",  # memory that no limit counts
)  # fmt: skip
_ABSENT = ("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register")
"""Calls that libraries do without where the kernel lacks them. What ``clone3`` is asked for stands
in memory, where a filter can't look; the rings make calls that no filter sees."""
_METADATA = (
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat",
    "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
    "fremovexattr", "removexattrat", "utime", "utimes", "futimesat", "utimensat", "file_setattr",
    "truncate",
)  # fmt: skip
"""Changes of files that Landlock lets through, or did once."""
_SHARED_MEMORY = (
    "shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop",
    "semtimedop", "semctl", "mq_open", "mq_unlink",
)  # fmt: skip
_NAMESPACES = 0x7E020000
_TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: typing in the user's name
_FILE_FLAGS = (0x40086602, 0x401C5820)  # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR
_SIGNAL_OWNER = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX
_SIGNAL_OWNER_IOCTL = (0x8901, 0x8902)  # FIOSETOWN, SIOCSPGRP
_AF_NETLINK = 16  # by which the C library asks which addresses there are

_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "acct": (163, 89), "add_key": (248, 217), "adjtimex": (159, 171), "bpf": (321, 280),
    "chmod": (90, None), "chown": (92, None), "chroot": (161, 51), "clock_adjtime": (305, 266),
    "clock_settime": (227, 112), "clone": (56, 220), "clone3": (435, 435),
    "delete_module": (176, 106), "execve": (59, 221), "execveat": (322, 281),
    "fanotify_init": (300, 262), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "fchown": (93, 55), "fchownat": (260, 54), "fcntl": (72, 25), "file_setattr": (469, 469),
    "finit_module": (313, 273), "fremovexattr": (199, 16), "fsconfig": (431, 431),
    "fsetxattr": (190, 7), "fsmount": (432, 432), "fsopen": (430, 430), "fspick": (433, 433),
    "futimesat": (261, None), "init_module": (175, 105), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "io_uring_setup": (425, 425), "ioctl": (16, 29),
    "ioperm": (173, None), "iopl": (172, None), "ioprio_set": (251, 30),
    "kexec_file_load": (320, 294), "kexec_load": (246, 104), "keyctl": (250, 219),
    "kill": (62, 129), "lchown": (94, None), "lookup_dcookie": (212, 18),
    "lremovexattr": (198, 15), "lsetxattr": (189, 6), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "migrate_pages": (256, 238), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "move_pages": (279, 239),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "msgctl": (71, 187), "msgget": (68, 186),
    "msgrcv": (70, 188), "msgsnd": (69, 189), "open_by_handle_at": (304, 265),
    "open_tree": (428, 428), "open_tree_attr": (467, 467), "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "pivot_root": (155, 41),
    "prlimit64": (302, 261), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "reboot": (169, 142),
    "removexattr": (197, 14), "removexattrat": (466, 466), "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119), "seccomp": (317, 277), "semctl": (66, 191),
    "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192), "setdomainname": (171, 162),
    "sethostname": (170, 161), "setns": (308, 268), "setpriority": (141, 140),
    "settimeofday": (164, 170), "setxattr": (188, 5), "setxattrat": (463, 463),
    "shmat": (30, 196), "shmctl": (31, 195), "shmget": (29, 194), "socket": (41, 198),
    "socketpair": (53, 199), "swapoff": (168, 225), "swapon": (167, 224), "syslog": (103, 116),
    "tgkill": (234, 131), "tkill": (200, 130), "truncate": (76, 45), "umount2": (166, 39),
    "unshare": (272, 97), "userfaultfd": (323, 282), "utime": (132, None), "utimensat": (280, 88),
    "utimes": (235, None), "vhangup": (153, 58),
}  # fmt: skip
"""The numbers of calls on x86_64 and on aarch64; None where it has no such call."""
