"""Bytes as they lie in memory, for compiled code: found by their address, moved in one go, sent and received."""

from __future__ import annotations

import ctypes
import os
import platform
import select
import socket
import sys
from typing import Any

import numpy as np

from ludotheque.core.jit import COMPILED, jit, set_plain


def _bytes_at(address: int, size: int) -> Any:
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))


def _move(source: Any, first: int, out: Any, at: int, size: int) -> None:
    out[at : at + size] = source[first : first + size].copy()


def _send(descriptor: int, source: Any, first: int, size: int, more: int) -> int:
    try:
        with socket.socket(fileno=os.dup(descriptor)) as line:
            return line.send(source[first : first + size], MORE if more else 0)
    except OSError:
        return -1


def _receive(descriptor: int, out: Any, at: int, size: int) -> int:
    try:
        with socket.socket(fileno=os.dup(descriptor)) as line:
            return line.recv_into(memoryview(out)[at : at + size], size, socket.MSG_DONTWAIT)
    except OSError:
        return -1


def _push(descriptor: int) -> None:
    with socket.socket(fileno=os.dup(descriptor)) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _await_ready(poll: int, out: Any, most: int) -> int:
    with select.epoll.fromfd(os.dup(poll)) as poller:
        found = poller.poll(0, most)
    for place, (descriptor, what) in enumerate(found):
        row = out[place * READY : (place + 1) * READY]
        row[:4] = np.frombuffer(np.uint32(what).tobytes(), np.uint8)
        row[READY - 8 :] = np.frombuffer(np.uint64(descriptor).tobytes(), np.uint8)
    return len(found)


CAN_SEND = COMPILED and sys.platform != "win32"
"""Whether compiled code can send."""
MORE = getattr(socket, "MSG_MORE", 0)
"""What tells the system that more will follow; 0 where it cannot be told."""
CAN_RECEIVE = CAN_SEND and sys.platform == "linux"
"""Whether compiled code can find out who has sent something, and receive it."""
READY = 12 if platform.machine().lower() in ("x86_64", "amd64", "i386", "i686") else 16
"""How long an entry of `await_ready` is: first, in 32 bits, what is the matter; last, in 64, the descriptor."""
IS_READABLE = getattr(select, "EPOLLIN", 1)
"""What is the matter if there is something to read, and nothing else."""

if COMPILED:
    from numba import carray, types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def _pointer(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

        return types.voidptr(types.int64), codegen

    @jit
    def bytes_at(address: int, size: int) -> Any:
        """The bytes that lie at an address; whoever names it holds on to them."""
        return carray(_pointer(address), size, np.uint8)

    # A loop over bytes is not taken for what it is: they may be the same array.
    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def move(typingctx: Any, source: Any, first: Any, out: Any, at: Any, size: Any) -> Any:
        """Move so many bytes. Nobody looks whether there is room."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            origin = make_array(signature.args[0])(context, builder, args[0]).data
            goal = make_array(signature.args[2])(context, builder, args[2]).data
            cgutils.raw_memmove(builder, builder.gep(goal, [args[3]]), builder.gep(origin, [args[1]]), args[4], 1)
            return context.get_dummy_value()

        return types.void(source, types.int64, out, types.int64, types.int64), codegen

    if CAN_SEND:
        _system_send = types.ExternalFunction(
            "send", types.int64(types.int32, types.voidptr, types.uint64, types.int32)
        )

        @jit
        def send(descriptor: int, source: Any, first: int, size: int, more: int) -> int:
            """Send a part of some bytes over a socket that does not wait: how many went, or -1.

            With `more` the system may keep them until others follow.
            """
            return _system_send(descriptor, _pointer(source.ctypes.data + first), size, MORE if more else 0)

    else:

        @jit
        def send(descriptor: int, source: Any, first: int, size: int, more: int) -> int:
            """Nothing can be sent here."""
            return -1

    if CAN_RECEIVE:
        _system_receive = types.ExternalFunction(
            "recv", types.int64(types.int32, types.voidptr, types.uint64, types.int32)
        )
        _system_wait = types.ExternalFunction(
            "epoll_wait", types.int32(types.int32, types.voidptr, types.int32, types.int32)
        )
        _system_set_option = types.ExternalFunction(
            "setsockopt", types.int32(types.int32, types.int32, types.int32, types.voidptr, types.uint32)
        )
        _AT_ONCE = socket.MSG_DONTWAIT
        _TCP, _NO_DELAY = socket.IPPROTO_TCP, socket.TCP_NODELAY

        @jit
        def receive(descriptor: int, out: Any, at: int, size: int) -> int:
            """Put at most so many bytes that have come over a socket into `out`: how many, 0 at the end, or -1."""
            return _system_receive(descriptor, _pointer(out.ctypes.data + at), size, _AT_ONCE)

        @jit
        def push(descriptor: int) -> None:
            """Let go what the system holds back for a socket: setting this option once more does that."""
            option = np.ones(1, np.int32)
            _system_set_option(descriptor, _TCP, _NO_DELAY, _pointer(option.ctypes.data), 4)

        @jit
        def await_ready(poll: int, out: Any, most: int) -> int:
            """Which descriptors of an epoll object have something now, at most so many: entries of `READY` bytes."""
            return max(0, _system_wait(poll, _pointer(out.ctypes.data), most, 0))

    else:

        @jit
        def receive(descriptor: int, out: Any, at: int, size: int) -> int:
            """Nothing can be received here."""
            return -1

        @jit
        def push(descriptor: int) -> None:
            """Nothing is held back here."""

        @jit
        def await_ready(poll: int, out: Any, most: int) -> int:
            """Nothing ever comes here."""
            return 0

    set_plain(bytes_at, _bytes_at)
    set_plain(move, _move)
    set_plain(send, _send)
    set_plain(receive, _receive)
    set_plain(push, _push)
    set_plain(await_ready, _await_ready)
else:
    bytes_at, move, send, receive, push, await_ready = _bytes_at, _move, _send, _receive, _push, _await_ready
