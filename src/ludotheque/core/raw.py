"""Bytes as they lie in memory, for compiled code: found by their address, moved in one go, sent."""

from __future__ import annotations

import ctypes
import os
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


CAN_SEND = COMPILED and sys.platform != "win32"
"""Whether compiled code can send."""
MORE = getattr(socket, "MSG_MORE", 0)
"""What tells the system that more will follow; 0 where it cannot be told."""

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

    set_plain(bytes_at, _bytes_at)
    set_plain(move, _move)
    set_plain(send, _send)
else:
    bytes_at, move, send = _bytes_at, _move, _send
