"""Sets of cards as bit masks in a signed 64-bit integer: at most 63 members."""

from __future__ import annotations

from typing import Any

from ludotheque.core.jit import COMPILED

if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    # Numba has no spelling for these two instructions; compiled to one machine instruction each.
    @intrinsic
    def lowest(typingctx: Any, mask: Any) -> Any:
        """The index of the lowest member of a set that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @intrinsic
    def count(typingctx: Any, mask: Any) -> Any:
        """How many members a set has."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

else:

    def lowest(mask: int) -> int:
        """The index of the lowest member of a set that is not empty."""
        mask = int(mask)
        return (mask & -mask).bit_length() - 1

    def count(mask: int) -> int:
        """How many members a set has."""
        return int(mask).bit_count()
