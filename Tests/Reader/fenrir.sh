#!/bin/sh
# Runs the screen reader Fenrir over `tn --reader`, presses the keys of walk.txt and checks what is spoken.
#
#     sh Tests/Reader/fenrir.sh --install      # once: fetches Fenrir from PyPI into .build/fenrir
#     sh Tests/Reader/fenrir.sh                # tries .build/debug/tn, or the program in TN_BINARY
#
# Fenrir runs in a pseudo-terminal of its own with its debug driver, which prints what would be spoken, so it needs no
# sound, no console and no rights. It is not part of CI.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
reader=$root/.build/fenrir
release=1.9.6.post1

if [ "${1-}" = --install ]; then
    python3 -m venv "$reader"
    # pyte is all that Fenrir's own terminal needs; the others are for sound and for keyboards of the console.
    "$reader/bin/pip" install --quiet pyte
    "$reader/bin/pip" download --quiet --no-deps --dest "$reader" "fenrir-screenreader==$release"
    tar -xzf "$reader/fenrir-screenreader-$release.tar.gz" -C "$reader"
    rm "$reader/fenrir-screenreader-$release.tar.gz"
    exit
fi

if [ ! -d "$reader/fenrir-screenreader-$release" ]; then
    echo "fenrir.sh: Fenrir is not installed; run: sh Tests/Reader/fenrir.sh --install" >&2
    exit 1
fi
program=${TN_BINARY:-$root/.build/debug/tn}
exec "$reader/bin/python" "$here/fenrir.py" "$reader/fenrir-screenreader-$release/src/fenrir" "$program" "$here/walk.txt"
