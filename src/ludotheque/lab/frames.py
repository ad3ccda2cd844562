"""The matches of a simulation as columns: NumPy arrays, an Arrow table, a Parquet file. A row per match and seat."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ludotheque.core import extras
from ludotheque.lab.runlog import unwritable
from ludotheque.lab.shards import Array, Part, Plan

ROW_GROUP = 1 << 18
"""Rows written at a time: what a run of any length keeps in memory."""

COLUMNS = ("run", "match", "seat", "bot", "score", "place", "win", "moves", "rounds")
"""See docs/lab.md."""


def columns(plan: Plan, parts: Sequence[Part], run: str = "") -> dict[str, Array]:
    """The rows of some parts of a run, by column."""
    seats = plan.players
    place = np.concatenate([part.rows["place"] for part in parts])
    firsts = place == 1
    games = len(place)
    bots = plan.bots
    joined = {
        name: np.concatenate([part.rows[name] for part in parts]) for name in ("match", "score", "moves", "rounds")
    }
    return {
        "run": np.full(games * seats, run),
        "match": np.repeat(joined["match"], seats),
        "seat": np.tile(np.arange(seats, dtype=np.int8), games),
        "bot": np.tile(np.array(bots), games),
        "score": joined["score"].ravel(),
        "place": place.ravel(),
        "win": (firsts / firsts.sum(axis=1, keepdims=True)).ravel(),
        "moves": np.repeat(joined["moves"], seats),
        "rounds": np.repeat(joined["rounds"], seats),
    }


def _arrow() -> Any:
    extras.need("lab", "pyarrow")
    import_module("pyarrow.parquet")
    return import_module("pyarrow")


def check_arrow() -> None:
    """Refuse early what could not be written later."""
    _arrow()


def _schema(plans: Sequence[Plan]) -> Any:
    arrow = _arrow()
    words = arrow.dictionary(arrow.int8(), arrow.string())
    kinds = {
        "run": words,
        "match": arrow.int64(),
        "seat": arrow.int8(),
        "bot": words,
        "score": arrow.int32(),
        "place": arrow.int8(),
        "win": arrow.float64(),
        "moves": arrow.int32(),
        "rounds": arrow.int32(),
    }
    plan = json.dumps([plan.to_json() for plan in plans])
    return arrow.schema(list(kinds.items()), {"ludotheque": plan})


def table(plans: Sequence[Plan], runs: Sequence[str], parts: Sequence[Sequence[Part]]) -> Any:
    """All rows of some runs as an Arrow table."""
    arrow = _arrow()
    schema = _schema(plans)
    batches = [_batch(plan, found, run, schema) for plan, run, found in zip(plans, runs, parts, strict=True) if found]
    return arrow.Table.from_batches(batches, schema)


def _batch(plan: Plan, parts: Sequence[Part], run: str, schema: Any) -> Any:
    arrow = _arrow()
    found = columns(plan, parts, run)
    return arrow.record_batch([arrow.array(found[field.name]).cast(field.type) for field in schema], schema)


def _groups(parts: Iterable[Part], seats: int) -> Iterator[list[Part]]:
    """Parts in groups of a row group each."""
    group: list[Part] = []
    rows = 0
    for part in parts:
        group.append(part)
        rows += seats * len(part.rows["match"])
        if rows >= ROW_GROUP:
            yield group
            group, rows = [], 0
    if group:
        yield group


def write_parquet(path: Path, plans: Sequence[Plan], runs: Sequence[str], parts: Iterable[Iterable[Part]]) -> None:
    """Write all rows, run by run; the whole file or nothing. The same rows give the same bytes."""
    arrow = _arrow()
    schema = _schema(plans)
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            with arrow.parquet.ParquetWriter(str(made), schema, compression="zstd") as writer:
                for plan, run, found in zip(plans, runs, parts, strict=True):
                    for group in _groups(found, plan.players):
                        writer.write_batch(_batch(plan, group, run, schema))
            os.replace(made, path)
        except BaseException:
            with contextlib.suppress(OSError):
                made.unlink()
            raise
    except OSError as error:
        raise unwritable(path, error) from None
