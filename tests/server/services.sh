#!/bin/sh
# Make sure that PostgreSQL, Redis, nginx, Chromium, tmux, zsh and fish are here for the tests; where they cannot be
# installed, say what to install.
have_stores() { command -v redis-server && { command -v postgres || ls /usr/lib/postgresql/*/bin/postgres; }; }
have_browser() { [ -n "$CHROMIUM" ] || command -v chromium || command -v chromium-browser || command -v google-chrome; }

missing() {
    have_stores >/dev/null 2>&1 || echo postgresql redis-server
    command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || echo nginx-light
    have_browser >/dev/null 2>&1 || echo chromium
    for program in tmux zsh fish; do command -v "$program" >/dev/null || echo "$program"; done
}

# Another apt-get may be at work, with its locks held: wait for it, ten minutes at most. `update` has no setting for that.
apt() { LC_ALL=C apt-get -o DPkg::Lock::Timeout=600 "$@"; }
update() {
    tries=0
    until said=$(apt update 2>&1 >/dev/null); do
        tries=$((tries + 1))
        case $said in
            *"Could not get lock"*) [ $tries -lt 120 ] && sleep 5 ;;
            *) false ;;
        esac || { echo "$said" >&2; return 1; }
    done
}

wanted=$(missing)
if [ -z "$wanted" ]; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing" $wanted
    # Nothing asks, and nothing that is installed starts to serve.
    export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
    update && apt install --yes --no-install-recommends $wanted >/dev/null
fi
wanted=$(missing)
if [ -z "$wanted" ]; then
    exit 0
fi
echo "Some tests need more. Debian, Ubuntu: sudo apt-get install" $wanted >&2
[ -z "$CI" ]
