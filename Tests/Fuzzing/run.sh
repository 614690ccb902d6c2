#!/bin/sh
# Runs libFuzzer over everything that tn takes in from outside: sh Tests/Fuzzing/run.sh [SECONDS [TARGET ...]]
# SECONDS for each target, 60 by default. What is found is kept in Findings and fails the ordinary tests from then on.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- decoder markdown assistant query front-matter import
# The address sanitizer finds what Swift's own checks do not; where it does not work with the fuzzer, FUZZ_ADDRESS=0.
sanitizers=fuzzer,address
[ "${FUZZ_ADDRESS:-1}" = 0 ] && sanitizers=fuzzer
# In one word: of two, swiftc takes the last for its own, and the fuzzer would not see what an input reaches.
swift build --package-path "$here" -c release --sanitize=fuzzer -Xswiftc "-sanitize=$sanitizers" --product Fuzz
# The runtime's own report of a trap hangs under the sanitizer; the fuzzer reports it too.
export SWIFT_BACKTRACE=enable=no
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
status=0
for target; do
    mkdir -p "$corpus/$target" "$here/Findings/$target"
    echo "== $target"
    FUZZ_TARGET=$target ASAN_OPTIONS=detect_leaks=0 "$here/.build/release/Fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=1024 -artifact_prefix="$here/Findings/$target/" -print_final_stats=1 \
        "$corpus/$target" "$here/Seeds/$target" 2>&1 | grep -E 'Fault|Fatal|fault|ERROR|SUMMARY|artifact|stat::number|INITED.*cov:|DONE.*cov:' ||
        true
    rmdir "$here/Findings/$target" 2>/dev/null || status=1
done
exit $status
