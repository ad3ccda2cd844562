"""Sets of cards as bit masks in a signed 64-bit integer: at most 63 members."""

from __future__ import annotations

from typing import Any

from ludotheque.core.jit import COMPILED, jit, set_plain


def _lowest(mask: int) -> int:
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def _count(mask: int) -> int:
    return int(mask).bit_count()


def _deposit(bits: int, mask: int) -> int:
    result = 0
    while bits and mask:
        if bits & 1:
            result |= mask & -mask
        mask &= mask - 1
        bits >>= 1
    return result


def _add_words(a: int, b: int) -> int:
    return (a + b) & 0xFFFFFFFF


def _rotate_word(a: int, n: int) -> int:
    return ((a << n) | (a >> (32 - n))) & 0xFFFFFFFF


def _spread(bits: int, cells: Any, row: int, first: int) -> None:
    for k in range(64):
        cells[row, first + k] = (bits >> k) & 1


HAS_DEPOSIT = False
"""Whether the processor can pick the k-th bit of a word in one instruction (x86 with BMI2)."""

if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from ludotheque.core.numba_private import target_features

    HAS_DEPOSIT = "+bmi2" in target_features().split(",")

    # Numba has no spelling for these instructions; each is compiled to one machine instruction.
    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def lowest(typingctx: Any, mask: Any) -> Any:
        """The index of the lowest member of a set that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def count(typingctx: Any, mask: Any) -> Any:
        """How many members a set has."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def deposit(typingctx: Any, bits: Any, mask: Any) -> Any:
        """The low bits of the first set, laid onto the members of the second."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            signature = ir.FunctionType(word, [word, word])
            fn = cgutils.get_or_insert_function(builder.module, signature, "llvm.x86.bmi.pdep.64")
            return builder.call(fn, args)

        return types.int64(types.int64, types.int64), codegen

    # Words of 32 bits in 64-bit integers: written like this, the compiler computes in 32 bits.
    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def add_words(typingctx: Any, a: Any, b: Any) -> Any:
        """The sum of two words, without the carry."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            x, y = (builder.trunc(arg, ir.IntType(32)) for arg in args)
            return builder.zext(builder.add(x, y), ir.IntType(64))

        return types.int64(types.int64, types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def rotate_word(typingctx: Any, a: Any, n: Any) -> Any:
        """A word rotated left by 1 to 31 bits."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(32)
            x, n = (builder.trunc(arg, word) for arg in args)
            fn = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word] * 3), "llvm.fshl.i32")
            return builder.zext(builder.call(fn, [x, x, n]), ir.IntType(64))

        return types.int64(types.int64, types.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped
    def spread(typingctx: Any, bits: Any, cells: Any, row: Any, first: Any) -> Any:
        """Write a word as 64 cells of a row, each 0 or 1, the lowest bit first."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, array, row, first = args
            kind = signature.args[1]
            cells = context.make_array(kind)(context, builder, array)
            place = cgutils.get_item_pointer(context, builder, kind, cells, [row, first])
            row_of_bytes = ir.VectorType(ir.IntType(8), 64)
            values = builder.zext(builder.bitcast(word, ir.VectorType(ir.IntType(1), 64)), row_of_bytes)
            builder.store(values, builder.bitcast(place, row_of_bytes.as_pointer()), align=1)
            return context.get_dummy_value()

        return types.none(types.int64, cells, types.int64, types.int64), codegen

    set_plain(lowest, _lowest)
    set_plain(count, _count)
    set_plain(deposit, _deposit)
    set_plain(add_words, _add_words)
    set_plain(rotate_word, _rotate_word)
    set_plain(spread, _spread)
else:
    lowest, count, deposit = _lowest, _count, _deposit
    add_words, rotate_word, spread = _add_words, _rotate_word, _spread

if HAS_DEPOSIT:

    @jit
    def nth(mask: int, n: int) -> int:
        """The n-th lowest member of a set, counted from 0."""
        return lowest(deposit(1 << n, mask))

else:

    @jit
    def nth(mask: int, n: int) -> int:
        """The n-th lowest member of a set, counted from 0."""
        for _ in range(n):
            mask &= mask - 1
        return lowest(mask)
