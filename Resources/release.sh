#!/bin/sh
# Makes the files that people install, of the commit that is checked out, in .build/release-files:
#
#   tn-VERSION-SYSTEM-ARCH.tar.gz         the program, its manual page, completions, .desktop file, texts and licences
#   tn_VERSION_ARCH.deb                   the same for Debian and Ubuntu (where dpkg-deb is)
#   tn-VERSION-SYSTEM-ARCH.debug          the symbols, found by the program's debuglink: addr2line, gdb, llvm-symbolizer
#   tn-VERSION-SYSTEM-ARCH.spdx.json      what the program is made of
#   tn.rb, PKGBUILD, flake.nix            for Homebrew, Arch and Nix
#   SHA256SUMS
#
#   sh Resources/release.sh [--output DIR]
#
# TN_BINARY names a program that is built already, with its symbols; without it the commit is cloned and built.
# SOURCE_DATE_EPOCH is the time of every file; the commit's own unless given. The same program packs to the same bytes.
# TN_RELEASES is the address that formula, PKGBUILD and flake fetch from.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/Resources/prerequisites.sh"
packaging="$root/Resources/packaging"

output="$root/.build/release-files"
while [ $# -gt 0 ]; do
    case "$1" in
        --output) [ $# -gt 1 ] || { echo "release.sh: --output needs a folder" >&2; exit 64; }
            output=$2; shift ;;
        --output=*) output=${1#--output=} ;;
        -h|--help) sed -n '2,18s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "release.sh: unknown option $1; see --help" >&2; exit 64 ;;
    esac
    shift
done
case "$output" in /*) ;; *) output="$PWD/$output" ;; esac

for tool in git tar gzip python3; do
    command -v "$tool" >/dev/null 2>&1 || fail "$tool is needed to make a release."
done
[ "$(uname -s)" = Darwin ] || command -v objcopy >/dev/null 2>&1 || fail "objcopy (binutils) is needed to make a release."
commit=$(git -C "$root" rev-parse HEAD 2>/dev/null) || fail "A release is made of a commit, and this is no clone."
[ -z "$(git -C "$root" status --porcelain)" ] || fail "There are changes that are not committed: a release is made of a commit."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
version=$(tn_version)
system=$(release_system)
name="tn-$version-$system"
source=$root

# MARK: The program

built=${TN_BINARY:-}
resolved=$packaging/resolved.json
if [ -z "$built" ]; then
    need_to_build
    # A clone, so that nothing of the work tree comes in, and always in the same place, since paths come into programs.
    source="$root/.build/release-source"
    rm -rf "$source"
    git clone --quiet "$root" "$source"
    git -C "$source" checkout --quiet --detach "$commit"
    cp "$resolved" "$source/Package.resolved"
    echo "Building tn $version of $commit: this takes some minutes." >&2
    # The names of the clone's files come out as if it lay at /tn, wherever it does.
    TN_COMMIT=$(printf %.9s "$commit") nice swift build --package-path "$source" --force-resolved-versions \
        $(release_options) --product tn \
        -Xswiftc -file-prefix-map -Xswiftc "$source=/tn" -Xcc "-ffile-prefix-map=$source=/tn" \
        >"$place/log" 2>&1 </dev/null || { cat "$place/log" >&2; exit 70; }
    built="$source/.build/release/tn"
fi
[ -x "$built" ] || fail "There is no program $built."
said=$("$built" --version)
case "$said" in "$version"|"$version "*) ;; *) fail "The program says it is $said, and this is the source of $version." ;; esac

# MARK: Its symbols

mkdir -p "$place/symbols"
cp "$built" "$place/symbols/tn"
if [ "$system" = "${system#macos}" ]; then
    objcopy --only-keep-debug "$built" "$place/symbols/$name.debug"
    strip --strip-all -o "$place/symbols/tn" "$built"
    (cd "$place/symbols" && objcopy --add-gnu-debuglink="$name.debug" tn)
    chmod 644 "$place/symbols/$name.debug"
else
    dsymutil "$built" -o "$place/symbols/$name.dSYM"
    tar -czf "$place/symbols/$name.debug" -C "$place/symbols" "$name.dSYM"
    strip -x "$place/symbols/tn"
fi
chmod 755 "$place/symbols/tn"

# MARK: The tree that is installed

tree="$place/$name"
TN_BINARY="$place/symbols/tn" sh "$root/Resources/install.sh" --prefix "$tree" >/dev/null
# The program is found by PATH wherever this is unpacked.
cp "$root/Resources/takenote.desktop" "$tree/share/applications/takenote.desktop"
documents="$tree/share/doc/tn"
mkdir -p "$documents"
# In the source README.md stands above the others; here all stand in one folder with what they link to.
for text in README.md $(cd "$root" && echo Resources/*.md); do
    sed -e 's|](Resources/|](|g' -e 's|](\.\./README\.md|](README.md|g' "$root/$text" >"$documents/${text##*/}"
done
cp "$root"/Resources/*.svg "$documents/"
cp -R "$root/Resources/themes" "$documents/"
mkdir -p "$output"
rm -f "$output/tn-$version"-* "$output/tn_$version"_* "$output/SHA256SUMS" "$output/tn.rb" "$output/PKGBUILD" "$output/flake.nix"
python3 "$packaging/contents.py" --program "$built" --resolved "$resolved" --checkouts "$source/.build/checkouts" \
    --version "$version" --commit "$commit" --name "$name" --licences "$documents/licences" \
    --sbom "$output/$name.spdx.json" --copyright "$place/copyright"
find "$tree" -type f ! -path '*/bin/*' -exec chmod 644 {} +

# MARK: The files

dated() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }
if [ "$system" = "${system#macos}" ]; then
    dated "$tree"
    (cd "$place" && tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf "$name.tar" "$name")
else
    (cd "$place" && tar -cf "$name.tar" "$name")
fi
# Not through a pipe, which would hide that tar has failed.
gzip -9n <"$place/$name.tar" >"$output/$name.tar.gz"
cp "$place/symbols/$name.debug" "$output/"
if command -v dpkg-deb >/dev/null 2>&1; then
    sh "$packaging/deb.sh" "$tree" "$version" "$place/copyright" "$output"
else
    echo "There is no dpkg-deb here, so no .deb is made." >&2
fi

sha256() { if command -v sha256sum >/dev/null 2>&1; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
sum=$(sha256 "$output/$name.tar.gz" | cut -d' ' -f1)
base64=$(python3 -c 'import base64, sys; print(base64.b64encode(bytes.fromhex(sys.argv[1])).decode())' "$sum")
# The commands of sed have another separator than addresses.
for template in tn.rb PKGBUILD flake.nix; do
    sed -e "s|@VERSION@|$version|g" -e "s|@SHA256@|$sum|g" -e "s|@SHA256_BASE64@|$base64|g" -e "s|@FILE@|$name.tar.gz|g" \
        -e "s|@ARCH@|${system#*-}|g" -e "s|@ADDRESS@|${release_address:-https://releases.example}|g" \
        "$packaging/$template" >"$output/$template"
done
[ -n "$release_address" ] ||
    echo "TN_RELEASES is not set, so formula, PKGBUILD and flake name the address releases.example." >&2
(
    cd "$output"
    set -- "tn-$version"-* tn.rb PKGBUILD flake.nix
    for deb in "tn_$version"_*; do [ ! -f "$deb" ] || set -- "$@" "$deb"; done
    sha256 "$@" >SHA256SUMS
)
[ "$system" != "${system#macos}" ] || dated "$output"

echo "tn $said is in $output:"
(cd "$output" && wc -c * | sed '$d')
