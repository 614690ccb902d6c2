#!/bin/sh
# Installs what the tests need, checks the style and runs every test. Arguments go to `swift test`; with FUZZ_SECONDS
# the fuzzer runs as well.
set -eu
cd "$(dirname "$0")/.."
. Resources/prerequisites.sh

need_swift
need git git git
need cc build-essential gcc
need tmux tmux tmux
need sqlite3 sqlite3 sqlite
need cmark cmark cmark
need cmark-gfm cmark-gfm cmark-gfm
need zsh zsh zsh
need fish fish fish
need jq jq jq
need mandoc mandoc mandoc
need groff groff groff
need_file /usr/include/sqlite3.h libsqlite3-dev
need_picture_libraries
install_missing
sh Resources/specifications.sh
export TN_SPECIFICATIONS=required

swift format lint --strict --recursive --parallel Package.swift Sources Tests
# A second, and it needs no build. Its stand-ins are those of a Linux machine.
[ $# -gt 0 ] || [ "$(uname -s)" = Darwin ] || sh Tests/Release/without-swift.sh
# Optimised code, as people run it, takes a third of the time that the tests take otherwise. DEBUG keeps its notebooks
# apart from those that somebody lives in; the folder keeps the build apart from that of `run.sh`. A trace of a crash needs
# the lines of Swift and no variables, which are a tenth of the compiler's work; of the libraries in C it needs nothing.
options="-c release -Xswiftc -enable-testing -Xswiftc -DDEBUG --scratch-path .build/tests"
options="$options -Xswiftc -gline-tables-only -Xcc -g0 -Xcxx -g0"
swift build $options --build-tests
if [ $# -gt 0 ] || [ "$(uname -s)" = Darwin ]; then
    swift test $options --skip-build "$@"
    # By themselves: they put a failing file system below every connection of their process.
    [ $# -gt 0 ] || TN_FAULTS="${TN_FAULTS:-some}" swift test $options --skip-build --filter FaultTests
else
    # Four processes side by side: what waits for programs that it drives, what runs on the main thread alone, what
    # computes, and what puts a failing file system below every connection of its process. One process would do one of
    # them after the other, most of the time on one core. The suites that keep every processor busy come afterwards, since
    # they would slow the others down.
    tests=$(swift build $options --show-bin-path)/tnPackageTests.xctest
    lanes=$(mktemp -d)
    trap 'rm -rf "$lanes"' EXIT
    lane() {
        name=$1
        shift
        "$tests" --testing-library swift-testing "$@" >"$lanes/$name.log" 2>&1 || echo "$name" >>"$lanes/failed"
        cat "$lanes/$name.log"
    }
    loaded=$(find Tests -name '*Tests.swift' -not -path '*/.build/*' -exec awk '
        FNR == 1 { isLoaded = 0 }
        /\.underLoad\)/ { isLoaded = 1 }
        isLoaded && match($0, /struct [A-Za-z]+/) { print substr($0, RSTART + 7, RLENGTH - 7); isLoaded = 0 }' {} + |
        sort -u | tr '\n' '|')
    loaded="\.(${loaded}LoadTests)/"
    lane driven --filter '^EndToEndTests' --skip "$loaded" &
    lane window --filter '^(InterfaceTests|ViewModelTests)' --skip "$loaded" &
    lane computed --skip '^(EndToEndTests|InterfaceTests|ViewModelTests)' --skip "$loaded" &
    TN_FAULTS="${TN_FAULTS:-some}" lane faults --filter FaultTests &
    wait
    lane driven-loaded --filter "^EndToEndTests$loaded" &
    lane computed-loaded --filter "$loaded" --skip '^EndToEndTests' &
    wait
    # Lists the skipped suites and tests with their reasons: run as root, a missing program, or run on request only. A
    # test that one process skips and another runs is not listed.
    sed 's/\x1b\[[0-9;]*m//g' "$lanes"/*.log | awk '
        match($0, /(Suite|Test) .* skipped/) {
            name = substr($0, RSTART, RLENGTH - 8)
            skipped[name] = substr($0, RSTART)
        }
        match($0, /(Suite|Test) .* (started|passed|failed)/) {
            name = substr($0, RSTART)
            sub(/ (started|passed|failed).*/, "", name)
            ran[name] = 1
        }
        END {
            for (name in skipped) if (!(name in ran)) { count++; print "left out: " skipped[name] }
            print (count + 0) " suites and tests were left out:"
        }' | LC_ALL=C sort >&2
    if [ -e "$lanes/failed" ]; then
        # Each failure once more at the end: in the thousands of lines above nobody finds it.
        while read -r name; do
            echo "Failed: $name" >&2
            grep -aE -A 3 'recorded an issue|[Ff]atal error|^✘ (Test|Suite) .* failed|Crash' "$lanes/$name.log" | tail -n 120 >&2 || tail -n 40 "$lanes/$name.log" >&2
        done <"$lanes/failed"
        exit 1
    fi
fi

# The fuzzer takes its own build and so many seconds for each target; only on request.
[ -z "${FUZZ_SECONDS:-}" ] || sh Tests/Fuzzing/run.sh "$FUZZ_SECONDS"
