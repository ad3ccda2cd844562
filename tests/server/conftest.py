"""Services that several tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import needs
from tests.server.services import Postgres, Redis, have_services

MISSING = "PostgreSQL and Redis are not installed (Debian, Ubuntu: apt-get install postgresql redis-server)"


@pytest.fixture(scope="session")
def services() -> None:
    """Both are installed."""
    if not have_services():
        needs.missing(MISSING)


@pytest.fixture(scope="session")
def postgres(services: None) -> Iterator[Postgres]:
    """A running PostgreSQL."""
    service = Postgres()
    service.start()
    yield service
    service.remove()


@pytest.fixture(scope="session")
def redis(services: None) -> Iterator[Redis]:
    """A running Redis."""
    service = Redis()
    service.start()
    yield service
    service.remove()
