#!/bin/sh
# Installs what is missing, builds tn for release and starts it with the arguments given.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/Resources/prerequisites.sh"

need_swift
need git git git
need cc build-essential gcc
need_file /usr/include/sqlite3.h libsqlite3-dev
need_picture_libraries
install_missing

log=$(mktemp)
trap 'rm -f "$log"' EXIT
[ -x "$root/.build/release/tn" ] || echo "Building tn: the first time takes a few minutes." >&2
if ! swift build --package-path "$root" $(release_options) --product tn >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    exit 70
fi
rm -f "$log"
trap - EXIT
exec "$root/.build/release/tn" "$@"
