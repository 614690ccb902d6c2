#!/bin/sh
# Starts tn with the arguments given, and brings whatever is missing for it.
#
#   sh Resources/run.sh [--yes] [ARGUMENT ...]
#
# With Swift it is built. Without, or with one that is too old, the release of this version is fetched where one is
# published; else Swift is installed, after a question, which --yes answers.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/Resources/prerequisites.sh"

TN_YES=${TN_YES:-}
if [ "${1:-}" = --yes ]; then
    TN_YES=yes
    shift
fi

if ! has_swift; then
    . "$root/Resources/published.sh"
    if published=$(published_program); then exec "$published" "$@"; else
        # 1 is "none is published"; any other status has been told.
        status=$?
        [ "$status" = 1 ] || exit "$status"
    fi
fi
need_to_build

log=$(mktemp)
trap 'rm -f "$log"' EXIT
[ -x "$root/.build/release/tn" ] || echo "Building tn: the first time takes a few minutes." >&2
TN_COMMIT=$(tn_commit)
export TN_COMMIT
if ! swift build --package-path "$root" $(release_options) --product tn >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    exit 70
fi
rm -f "$log"
trap - EXIT
unset TN_COMMIT
exec "$root/.build/release/tn" "$@"
