"""Tests that are coroutines, and services that several tests share."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

import psycopg
import pytest

from tests import needs
from tests.server.house import House, run, running
from tests.server.services import Postgres, Redis, have_services

MISSING = "PostgreSQL and Redis are not installed (Debian, Ubuntu: apt-get install postgresql redis-server)"


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine; fixtures that are asynchronous contexts are entered for it."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None

    async def story() -> None:
        async with AsyncExitStack() as stack:
            given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
            for name, value in given.items():
                if isinstance(value, AbstractAsyncContextManager):
                    given[name] = await stack.enter_async_context(value)
            await pyfuncitem.obj(**given)

    run(story())
    return True


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[House]:
    """A running server, with the settings of the marker."""
    marker = request.node.get_closest_marker("settings")
    return running(tmp_path, **(marker.kwargs if marker else {}))


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


@pytest.fixture
def database(postgres: Postgres) -> Postgres:
    """A running PostgreSQL with nothing in it."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres


@pytest.fixture(scope="session")
def redis(services: None) -> Iterator[Redis]:
    """A running Redis."""
    service = Redis()
    service.start()
    yield service
    service.remove()
