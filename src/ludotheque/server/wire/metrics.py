"""What the server counts, in Prometheus' format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from ludotheque.server.session.room import Room

if TYPE_CHECKING:
    from ludotheque.server.wire.gate import Gate


class _Numbers(Collector):
    def __init__(self, room: Room, gate: Gate) -> None:
        self._room = room
        self._gate = gate

    def collect(self) -> Iterator[Metric]:
        """The numbers as they are now."""
        stats = self._room.stats
        yield CounterMetricFamily("ludotheque_events", "Events stored.", value=stats.events)
        yield CounterMetricFamily("ludotheque_moves", "Moves played.", value=stats.moves)
        yield CounterMetricFamily("ludotheque_refusals", "Commands refused.", value=stats.refusals)
        yield CounterMetricFamily("ludotheque_conflicts", "Events another server wrote first.", value=stats.conflicts)
        yield CounterMetricFamily("ludotheque_store_errors", "Failures of the store.", value=stats.store_errors)
        yield CounterMetricFamily("ludotheque_failures", "Defects met while running.", value=stats.failures)
        lost = self._room.store.lost_events
        yield GaugeMetricFamily("ludotheque_lost_events", "Acknowledged events missing at the start.", value=lost)
        yield GaugeMetricFamily("ludotheque_tables", "Tables in memory.", value=len(self._room.tables))
        yield GaugeMetricFamily("ludotheque_connections", "Open WebSockets.", value=len(self._gate.connections))


def render(room: Room, gate: Gate) -> bytes:
    """All numbers, and those of the process."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Numbers(room, gate))
    return generate_latest(registry)
