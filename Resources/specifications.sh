#!/bin/sh
# Fetches the text of the CommonMark and GFM specifications for the tests, into `.build/specifications`. Their licence
# (CC-BY-SA) is not the project's, so they are no part of it. The source package of marko carries both; its checksum is
# the one of the archive that was looked at.
set -eu
cd "$(dirname "$0")/.."
. Resources/prerequisites.sh

folder=.build/specifications
[ -f "$folder/commonmark.txt" ] && [ -f "$folder/gfm.txt" ] && exit 0

version=2.2.0
archive=marko-$version.tar.gz
checksum=213c146ba197c1d6bcb06ae3658b7d87e45f6def35c09905b86aa6bb1984eba6
sha256() { if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1; }

fetch() {
    command -v python3 >/dev/null 2>&1 &&
        python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$1" "marko==$version" >&2
}

mkdir -p .build
new=$(mktemp -d .build/specifications.XXXXXX)
trap 'rm -rf "$new"' EXIT
fetch "$new" || fail "The specifications could not be fetched by pip: get the source of marko $version and unpack its tests/spec as $folder."
[ "$(sha256 "$new/$archive")" = "$checksum" ] || fail "$archive has another checksum than expected: nothing was unpacked."
tar -xzf "$new/$archive" -C "$new"
mkdir -p "$folder"
cp "$new/marko-$version/tests/spec/commonmark.txt" "$new/marko-$version/tests/spec/gfm.txt" "$folder"
