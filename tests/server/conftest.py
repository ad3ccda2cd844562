"""Services that several tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.server.services import Postgres, Redis, have_services


def need_services() -> None:
    """Skip a test that needs what is not installed; where everything must be tested, fail."""
    if not have_services():
        missing = "PostgreSQL and Redis are not installed (Debian, Ubuntu: apt-get install postgresql redis-server)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL."""
    need_services()
    service = Postgres()
    service.start()
    yield service
    service.remove()


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A running Redis."""
    need_services()
    service = Redis()
    service.start()
    yield service
    service.remove()
