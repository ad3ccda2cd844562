#!/bin/sh
# Make sure that PostgreSQL and Redis are here for the tests; where they cannot be installed, say what to install.
have() { command -v redis-server && { command -v postgres || ls /usr/lib/postgresql/*/bin/postgres; }; }

if have >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing PostgreSQL and Redis"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update && apt-get install --yes --no-install-recommends postgresql redis-server; } >/dev/null
fi
if have >/dev/null 2>&1; then
    exit 0
fi
echo "Some tests need PostgreSQL and Redis. Debian, Ubuntu: sudo apt-get install postgresql redis-server" >&2
[ -z "$CI" ]
