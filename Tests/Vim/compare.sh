#!/bin/sh
# Compares the keys of vim mode with vim itself: compare.sh [--count N] [--seed S] [--record FILE]
#
# Each case is a fresh vim, which is told a text, a caret and commands. Needs vim 9; set VIM_COMPARISON to the built
# program VimComparison to build nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
count=1000 seed=1 record=
while [ $# -gt 0 ]; do
    case $1 in
        --count) count=$2; shift 2 ;;
        --seed) seed=$2; shift 2 ;;
        --record) record=$2; shift 2 ;;
        *) echo "compare.sh [--count N] [--seed S] [--record FILE]" >&2; exit 64 ;;
    esac
done
command -v vim >/dev/null || { echo "compare.sh needs vim: apt-get install vim" >&2; exit 69; }
if [ -z "${VIM_COMPARISON:-}" ]; then
    cd "$here/../.."
    swift build --product VimComparison
    VIM_COMPARISON=$(swift build --show-bin-path)/VimComparison
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$VIM_COMPARISON" cases "$count" "$seed" >"$work/cases"
: >"$work/results"
export VIMRESULTS="$work/results" VIMSCRIPT="$here/oracle.vim"
xargs -d '\n' -n 1 -P "$(nproc)" sh -c 'VIMCASE=$1 exec timeout 10 vim -Nu NONE -i NONE -n -es -S "$VIMSCRIPT"' sh \
    <"$work/cases" >/dev/null 2>&1 || true
[ -z "$record" ] || "$VIM_COMPARISON" record "$work/cases" "$work/results" >"$record"
"$VIM_COMPARISON" compare "$work/cases" "$work/results"
