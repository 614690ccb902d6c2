#!/bin/sh
# Measures tn beside its peers and prints tables in Markdown. Parts: typing instructions editor carets hostile stream
# pictures start capture search open save store rank tree import vault sync render highlight intelligence chat; none
# named is all. --quick takes a minute
# instead of ten, --million adds a notebook of a million notes to the store's parts, TN_SYNC_NOTES=1000,100000 says for
# how many notes synchronising is measured. Peers that are not installed are left out:
# apt-get install vim neovim nano micro kakoune sqlite3 cmark-gfm
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../Resources/prerequisites.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Both products, since the program is what is measured.
for product in tn Benchmarks; do
    if ! swift build --package-path "$here" $(release_options) --product "$product" >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        exit 70
    fi
done
"$here/.build/release/Benchmarks" "$@"
