#!/bin/sh
# Make sure that PostgreSQL, Redis, Chromium and tmux are here for the tests; where they cannot be installed, say what
# to install.
have_stores() { command -v redis-server && { command -v postgres || ls /usr/lib/postgresql/*/bin/postgres; }; }
have_browser() { [ -n "$CHROMIUM" ] || command -v chromium || command -v chromium-browser || command -v google-chrome; }

missing() {
    have_stores >/dev/null 2>&1 || echo postgresql redis-server
    have_browser >/dev/null 2>&1 || echo chromium
    command -v tmux >/dev/null || echo tmux
}

wanted=$(missing)
if [ -z "$wanted" ]; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing" $wanted
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update && apt-get install --yes --no-install-recommends $wanted; } >/dev/null
fi
wanted=$(missing)
if [ -z "$wanted" ]; then
    exit 0
fi
echo "Some tests need more. Debian, Ubuntu: sudo apt-get install" $wanted >&2
[ -z "$CI" ]
