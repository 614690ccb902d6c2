#!/bin/sh
# Runs random schedules of machines that synchronise, built for release: run.sh [--count N] [--seed S] [--kind KIND] [--git]
#
# Each schedule is a seed and a kind: calm, killed, hands, encrypted, remote, links, torn, nested. A failure is printed with its
# seed, and `--seed S --count 1 --kind KIND` repeats it. With --git they go through git itself, which is killed now and
# then.
# Notebooks lie in memory where the system has a folder for that.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/Resources/prerequisites.sh"
# The package of the benchmarks, so that one build for release serves both.
swift build --package-path "$root/Tests/Benchmarks" $(release_options) --product SyncTrial >&2
if [ -w /dev/shm ]; then
    TMPDIR=$(TMPDIR=/dev/shm mktemp -d)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
fi
# Sets in Swift are in another order in each process, unless this is set.
SWIFT_DETERMINISTIC_HASHING=1 "$root/Tests/Benchmarks/.build/release/SyncTrial" "$@"
