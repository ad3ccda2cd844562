"""What must hold after a soak: read from the store, from the servers, and from what the honest clients know."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ludotheque
from benchmarks.room_client import Http, HttpError, connect
from benchmarks.room_loads import percentiles
from benchmarks.soak.honest import Line
from benchmarks.soak.ledger import Ledger, Outcome
from benchmarks.soak.tables import Room

MEMORY = 1.3
"""How much more memory a server may take under attack than it took in the control run."""
DELAY = 3.0
"""How much longer all but a hundredth of the answers may take."""
HEALTH_SECONDS = 1.0
SHOWN = 8
"""How many examples a failed check prints."""

Log = dict[int, dict[str, Any]]
"""The stored events of a table, by their number."""


@dataclass(frozen=True)
class Check:
    """Something that must hold, and whether it did."""

    what: str
    is_good: bool
    detail: str

    def __str__(self) -> str:
        return f"{'pass' if self.is_good else 'FAIL'}  {self.what}: {self.detail}"


def judge(what: str, wrong: Sequence[str], otherwise: str) -> Check:
    """A check that holds if nothing is wrong."""
    examples = "; ".join(wrong[:SHOWN])
    return Check(what, not wrong, otherwise if not wrong else f"{len(wrong)} wrong, such as {examples}")


# The store.


def read_sqlite(data: Path) -> dict[str, Log]:
    """All events of an SQLite store."""
    with closing(sqlite3.connect(f"file:{data / 'tables.sqlite3'}?mode=ro", uri=True)) as connection:
        return _logs(connection.execute("SELECT table_id, seq, data FROM events").fetchall())


def read_postgres(url: str) -> dict[str, Log]:
    """All events of a PostgreSQL store."""
    import psycopg

    with psycopg.connect(url) as connection:
        return _logs(connection.execute("SELECT table_id, seq, data FROM events").fetchall())


def _logs(rows: Sequence[tuple[str, int, str | bytes]]) -> dict[str, Log]:
    logs: defaultdict[str, Log] = defaultdict(dict)
    for table, seq, data in rows:
        logs[table][seq] = json.loads(data)
    return logs


def check_stored(ledger: Ledger, logs: Mapping[str, Log]) -> list[Check]:
    """Every acknowledged command is in the store once for each who sent it, and no refused one is."""
    stored = Counter((table, event["id"]) for table, log in logs.items() for event in log.values() if event.get("id"))
    acknowledged: Counter[tuple[str, str]] = Counter()
    pending: Counter[tuple[str, str]] = Counter()
    commands: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for command in ledger.commands:
        key = command.table, command.id
        acknowledged[key] += command.outcome is Outcome.STORED
        pending[key] += command.outcome is Outcome.PENDING
        commands[key].append(f"{command.sender}: {command.message['type']} {command.outcome.name.lower()}")
    lost: list[str] = []
    doubled: list[str] = []
    refused: list[str] = []
    for key, senders in commands.items():
        found = f"{key[1]} at {key[0]} ({', '.join(senders[:4])}), stored {stored[key]} times"
        if stored[key] < acknowledged[key]:
            lost.append(found)
        elif stored[key] > acknowledged[key] + pending[key]:
            (doubled if acknowledged[key] else refused).append(found)
    total = sum(acknowledged.values())
    gaps = [table for table, log in logs.items() if sorted(log) != list(range(1, len(log) + 1))]
    unanswered = [f"{c.id} at {c.table}: {c.message['type']}" for c in ledger.commands if c.outcome is Outcome.PENDING]
    return [
        judge("every acknowledged command is in the store", lost, f"{total:,} commands"),
        judge("none is there twice", doubled, f"{ledger.counts['repeated']:,} were sent twice"),
        judge("no refused command is in the store", refused, f"{len(ledger.commands) - total:,} refused"),
        judge("every command was answered in the end", unanswered, f"{len(ledger.commands):,} commands"),
        judge("events of a table are numbered without a gap", gaps, f"{len(logs):,} tables"),
    ]


def check_shown(ledger: Ledger, logs: Mapping[str, Log]) -> Check:
    """Whoever is at a table was shown every event that is in the store, as it is there."""
    wrong = list(ledger.complaints.get("shown", ()))
    count = 0
    for witness in ledger.witnesses:
        log = logs.get(witness.table, {})
        last = max(log, default=0) if witness.is_present else witness.seq
        for seq in range(2, last + 1):
            shown, stored = witness.events.get(seq), log.get(seq)
            count += 1
            if shown is None or stored is None:
                state = "not shown" if shown is None else "shown, but not stored"
                wrong.append(f"event {seq} of {witness.table} was {state} ({witness.name})")
            elif not _is_same(shown, stored):
                wrong.append(f"event {seq} of {witness.table} was shown as {shown['type']} ({witness.name})")
    return judge("every stored event was shown to everybody at its table", wrong, f"{count:,} times")


STORED_NAMES = {"padentered": "entered", "padback": "wiped"}


def _is_same(shown: Mapping[str, Any], stored: Mapping[str, Any]) -> bool:
    """Whether an event that was shown is the stored one, by what both have."""
    name = stored["type"].replace("_", "")
    if shown["type"].replace("_", "") != STORED_NAMES.get(name, name):
        return False
    return all(shown[key] == stored[key] for key in ("text", "mark", "entry") if key in shown and key in stored)


# The servers.


async def check_tables(room: Room, port: int) -> list[Check]:
    """Every table can be opened over HTTP and WebSocket, and every record of a match that is over is true."""
    unreadable, untrue = [], []
    records = 0
    for number, (table, (_, watch)) in enumerate(room.tables.items()):
        http = Http(port, f"127.4.0.{1 + number % 250}")
        try:
            shown = await http.get(f"/api/tables/{table}?key={watch}")
            line = await connect(Line, port, f"/ws/{table}", f"127.4.1.{1 + number % 250}")
            line.send_json(type="hello", key=watch, after=0)
            welcome = await asyncio.wait_for(line.inbox.get(), 30)
            line.close()
            if welcome is None or welcome["type"] != "welcome":
                unreadable.append(f"{table}: {welcome}")
                continue
            found = [event["seq"] for event in welcome["events"]]
            if found != list(range(2, welcome["seq"] + 1)):
                unreadable.append(f"{table}: {len(found)} events of {welcome['seq']}")
            if shown["table"]["kind"] == "match":
                matches = shown["table"]["match"] - (shown["table"]["status"] == "waiting")
                wrong, count = await _check_records(http, table, watch, matches)
                untrue += wrong
                records += count
        except (OSError, TimeoutError, HttpError) as error:
            unreadable.append(f"{table}: {error!r:.200}")
        finally:
            http.close()
    return [
        judge("every table can be read", unreadable, f"{len(room.tables)} tables"),
        judge("every record is true", untrue, f"{records} matches"),
        Check("matches were played to their end", records > 0, f"{records}"),
    ]


async def _check_records(http: Http, table: str, key: str, matches: int) -> tuple[list[str], int]:
    """The records of a table's matches that do not verify, and how many were over."""
    wrong, count = [], 0
    for match in range(1, matches + 1):
        where = f"match {match} of {table}"
        path = f"/api/tables/{table}/record?match={match}&key={key}"
        reply = await http.ask("GET", path)
        if reply.status == 429:
            await asyncio.sleep(1)
            reply = await http.ask("GET", path)
        if reply.status == 409:  # it is not over, and spectators have to wait
            continue
        if reply.status != 200:
            wrong.append(f"{where}: {reply.status} {reply.body}")
        elif "deal" in reply.body:
            count += 1
            record, deal = reply.body["record"], reply.body["deal"]
            is_true = await asyncio.get_running_loop().run_in_executor(
                None, lambda r: ludotheque.verify(r).true, record
            )
            if not is_true or mixed_key(deal) != record["key"]:
                wrong.append(where)
    return wrong, count


def mixed_key(deal: Mapping[str, Any]) -> str:
    """The key of a deal from its secret and the contributions, by the formula of `docs/protocol.md`."""
    parts = [b"ludotheque deal 1\0", bytes.fromhex(deal["secret"])]
    for value in map(bytes.fromhex, deal["contributions"]):
        parts += [bytes([len(value)]), value]
    return hashlib.sha256(b"".join(parts)).hexdigest()


# What was measured.


def check_times(ledger: Ledger) -> list[Check]:
    """Answers under attack against those of the control run, and how long a server takes to say that it is well."""
    control, attack = (percentiles(ledger.answers.get(phase, [])) for phase in ("control", "attack"))
    ratio = attack[1] / control[1] if control[1] else float("inf")
    detail = f"p50 {attack[0]:.1f} ms, p99 {attack[1]:.1f} ms, {ratio:.1f} times the control run's, "
    detail += f"which had p50 {control[0]:.1f} ms, p99 {control[1]:.1f} ms"
    health = percentiles(ledger.health.get("attack", []))
    return [
        Check(f"p99 of answers to the honest within {DELAY:g} times the control's", ratio <= DELAY, detail),
        Check(
            f"p99 of /healthz below {HEALTH_SECONDS:g} s",
            0 < health[1] <= 1000 * HEALTH_SECONDS,
            f"p50 {health[0]:.1f} ms, p99 {health[1]:.1f} ms",
        ),
    ]


def check_memory(baseline: float, samples: Sequence[float]) -> Check:
    """The server's memory at its most, in any of its lives, against the end of the control run."""
    most = max(samples, default=0.0)
    detail = f"{baseline:.0f} MB in the control run, at most {most:.0f} MB since: {most / baseline:.2f}"
    return Check(f"memory within {MEMORY - 1:.0%} of the start", 0 < most <= MEMORY * baseline, detail)


def check_complaints(ledger: Ledger, attackers: Mapping[str, Mapping[str, int]]) -> list[Check]:
    """What clients and attackers noticed by themselves."""
    kinds = {kind: texts for kind, texts in ledger.complaints.items() if kind not in ("shown",)}
    noticed = [f"{kind} ({ledger.counts[f'complaint: {kind}']}): {texts[0]}" for kind, texts in kinds.items()]
    passed = [f"{what} ({count} times)" for what, count in attackers.get("complaints", {}).items()]
    return [
        judge("honest clients have nothing to complain of", noticed, "nothing"),
        judge("attackers got nowhere", passed, f"{sum(attackers.get('rounds', {}).values()):,} attacks"),
    ]


def check_log(paths: Sequence[Path]) -> Check:
    """No exception in a server's log."""
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = [line[:300] for line in lines if '"error":' in line or line.startswith("Traceback")]
    return judge("no exception in the servers' logs", wrong, f"{len(lines)} lines")
