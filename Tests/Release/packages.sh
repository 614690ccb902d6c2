#!/bin/sh
# Tries the files that Resources/release.sh has made, given as a folder: the archive, its symbols, the program alone in an
# empty root, the .deb in fresh roots of Debian, formula, PKGBUILD and flake. Roots are kept in TN_ROOTS.
#
#   sh Tests/Release/packages.sh [DIR] [SUITE ...]      SUITE is bookworm and trixie unless named
#
# Roots need debootstrap and the rights of root; without them all else is tried, and the status is 69.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/Resources/prerequisites.sh"
release=$(cd "${1:-$root/.build/release-files}" 2>/dev/null && pwd) || fail "There are no files of a release in ${1:-.build/release-files}: sh Resources/release.sh makes them."
[ $# -eq 0 ] || shift
suites=${*:-bookworm trixie}
roots=${TN_ROOTS:-$root/.build/release-roots}
version=$(tn_version)
name="tn-$version-$(release_system)"

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
wrong() { echo "packages: $1" >&2; exit 1; }
done_with() { echo "packages: $1"; }

# Prints each link of a folder's texts that leads to no file there.
broken_links() {
    (
        cd "$1"
        for text in *.md; do
            sed 's/`[^`]*`//g' "$text" | grep -o ']([^)]*)' | sed 's/^](//; s/)$//; s/#.*//' |
                while read -r link; do
                    case "$link" in ''|*:*) ;; *) [ -e "$link" ] || printf '%s links to %s; ' "$text" "$link" ;; esac
                done
        done
    )
}

# MARK: The archive

(cd "$release" && sha256sum --quiet --check SHA256SUMS) || wrong "a file is not what its checksum says"
tar -xzf "$release/$name.tar.gz" -C "$place"
tree="$place/$name"
for file in bin/tn share/man/man1/tn.1 share/bash-completion/completions/tn share/zsh/site-functions/_tn \
    share/fish/vendor_completions.d/tn.fish share/applications/takenote.desktop share/doc/tn/CHANGELOG.md \
    share/doc/tn/licences/GRDB.swift-LICENSE share/doc/tn/licences/swift-LICENSE.txt; do
    [ -s "$tree/$file" ] || wrong "$file is missing in the archive"
done
broken=$(broken_links "$tree/share/doc/tn")
[ -z "$broken" ] || wrong "the archive's texts have links to nothing: $broken"
grep -q '^Exec=tn ' "$tree/share/applications/takenote.desktop" || wrong "the .desktop file names a folder of the builder"
[ -z "$(find "$tree" ! -type d ! -type f)" ] || wrong "there is something else than files in the archive"
tar -tvzf "$release/$name.tar.gz" | awk '$2 != "0/0" { exit 1 }' || wrong "the archive names a user of the builder"
done_with "$name.tar.gz is whole: $(find "$tree" -type f | wc -l) files, $(find "$tree/share/doc/tn/licences" -type f | wc -l) texts of licences"
sh "$root/Tests/Release/run.sh" "$tree/bin/tn"

# MARK: Symbols

# The symbols stand beside the program, as a person would put them who has fetched both.
cp "$release/$name.debug" "$tree/bin/"
[ -z "$(nm "$tree/bin/tn" 2>/dev/null)" ] || wrong "the program is not stripped"
build_id() { readelf -n "$1" 2>/dev/null | sed -n 's/ *Build ID: //p'; }
[ "$(build_id "$tree/bin/tn")" = "$(build_id "$tree/bin/$name.debug")" ] || wrong "the symbols are of another program"
address=$(nm "$tree/bin/$name.debug" | awk '/ [tT] \$s2tn7ProgramO3run/ { print $1; exit }')
[ -n "$address" ] || wrong "the symbols do not know Program.run"
read_address=$(addr2line -f -e "$tree/bin/tn" "0x$address" | tr '\n' ' ')
case "$read_address" in
    *Program*Program.swift:*) done_with "0x$address is $read_address" ;;
    *) wrong "0x$address is read as $read_address" ;;
esac

# MARK: What it is made of

python3 - "$release/$name.spdx.json" <<'CHECK'
import json, re, sys
document = json.load(open(sys.argv[1]))
assert document["spdxVersion"] == "SPDX-2.3" and document["documentNamespace"].startswith("urn:uuid:")
names = {package["name"] for package in document["packages"]}
missing = {"tn", "GRDB.swift", "Yams", "libyaml", "swift-crypto", "swift"} - names
assert not missing, missing
identities = [package["SPDXID"] for package in document["packages"]]
assert len(set(identities)) == len(identities), "two packages have one identity"
assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", identity) for identity in identities)
related = {relation["relatedSpdxElement"] for relation in document["relationships"]}
assert related == set(identities), "a package has no relation"
print(f"packages: the SBOM names {len(names)} packages")
CHECK

# MARK: Formula, PKGBUILD, flake

sum=$(sha256sum "$release/$name.tar.gz" | cut -d' ' -f1)
for template in tn.rb PKGBUILD flake.nix; do
    ! grep -q '@[A-Z0-9_]*@' "$release/$template" || wrong "$template is not filled"
    grep -q "$version" "$release/$template" || wrong "$template has another version"
done
grep -q "sha256 \"$sum\"" "$release/tn.rb" || wrong "the formula has another checksum"
grep -q "sha256sums=('$sum')" "$release/PKGBUILD" || wrong "PKGBUILD has another checksum"
hash=$(sed -n 's/.*hash = "sha256-\(.*\)";/\1/p' "$release/flake.nix" | base64 -d | od -An -v -tx1 | tr -d ' \n')
[ "$hash" = "$sum" ] || wrong "the flake has another checksum"
checked=""
if command -v ruby >/dev/null 2>&1; then ruby -c "$release/tn.rb" >/dev/null; checked="$checked formula (ruby's grammar)"; fi
if command -v bash >/dev/null 2>&1; then
    # What makepkg does with it, but for fetching.
    srcdir=$place pkgdir="$place/arch" bash -euc '. "$1"; cd "$srcdir"; package' - "$release/PKGBUILD"
    [ -x "$place/arch/usr/bin/tn" ] && [ -s "$place/arch/usr/share/licenses/tn/libraries/GRDB.swift-LICENSE" ] ||
        wrong "PKGBUILD installs something else"
    checked="$checked PKGBUILD (its package function)"
fi
if command -v nix-instantiate >/dev/null 2>&1; then
    nix-instantiate --parse "$release/flake.nix" >/dev/null
    checked="$checked flake (nix's grammar)"
fi
done_with "filled and tried:$checked"

# MARK: Roots

[ "$(uname -s)" = Linux ] || fail "Roots are tried on Linux only."
[ "$(id -u)" -eq 0 ] || fail "Roots were not tried: that needs the rights of root."

# in_root FOLDER COMMAND ...: a command in a root that has its /proc and nothing of this environment.
in_root() {
    unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$(command -v chroot)" "$@"' - "$@"
}

# Nothing but the program and /proc, which Swift takes the words of the command line from: no shell, no library, no passwd,
# no zones.
if readelf -l "$tree/bin/tn" | grep -q INTERP; then
    done_with "the program needs libraries of the system, so an empty root was not tried"
else
    empty="$place/empty"
    mkdir -p "$empty/tmp" "$empty/proc"
    cp "$tree/bin/tn" "$empty/tn"
    in_empty() { in_root "$empty" /tn "$@"; }
    [ "$(in_empty --version)" = "$("$tree/bin/tn" --version)" ] || wrong "the program does not start in an empty root"
    note=$(printf 'Ünïcode – 世界\n\npears\n' | in_empty --new)
    [ "$(in_empty show "$note")" = "$(printf 'Ünïcode – 世界\n\npears\n')" ] || wrong "a note is lost in an empty root"
    [ "$(in_empty search pear | wc -l)" -eq 1 ] || wrong "a search finds nothing in an empty root"
    in_empty doctor >/dev/null || wrong "the doctor finds fault in an empty root"
    done_with "the program works alone in an empty root"
fi

command -v debootstrap >/dev/null 2>&1 ||
    fail "debootstrap is missing, so the .deb was not tried in fresh roots: apt-get install debootstrap"
mirror=${TN_MIRROR:-http://deb.debian.org/debian}
deb=$(echo "$release"/tn_"$version"_*.deb)
[ -f "$deb" ] || wrong "there is no .deb"
mkdir -p "$roots"
for suite in $suites; do
    if [ ! -f "$roots/$suite.tar" ]; then
        rm -rf "${roots:?}/$suite"
        debootstrap --variant=minbase "$suite" "$roots/$suite" "$mirror" >"$place/$suite.log" 2>&1 ||
            { tail -5 "$place/$suite.log" >&2; wrong "no root of $suite could be made"; }
        tar -C "$roots/$suite" -cf "$roots/$suite.tar.new" .
        mv "$roots/$suite.tar.new" "$roots/$suite.tar"
        rm -rf "${roots:?}/$suite"
    fi
    fresh="$place/$suite"
    mkdir "$fresh"
    tar -xf "$roots/$suite.tar" -C "$fresh"
    cp "$deb" "$fresh/tn.deb"
    cp "$root/Tests/Release/run.sh" "$fresh/run.sh"
    inside() { in_root "$fresh" "$@"; }
    inside dpkg -i /tn.deb >"$place/$suite.log" 2>&1 || { cat "$place/$suite.log" >&2; wrong "the .deb cannot be installed in $suite"; }
    inside dpkg -V tn || wrong "what the .deb installed in $suite is not what it holds"
    inside sh /run.sh /usr/bin/tn
    broken=$(broken_links "$fresh/usr/share/doc/tn")
    [ -z "$broken" ] || wrong "the texts of the .deb have links to nothing: $broken"
    # It does what the archive's does, and nothing is left of it.
    inside sh -c 'gzip -dc /usr/share/man/man1/tn.1.gz' | cmp -s - "$tree/share/man/man1/tn.1" || wrong "the manual pages differ"
    inside dpkg -r tn >/dev/null 2>&1
    [ -z "$(find "$fresh/usr" -path '*tn*' \( -name tn -o -name 'tn.*' -o -name _tn \))" ] || wrong "removing leaves files in $suite"
    done_with "$(basename "$deb") works in $suite ($(cat "$fresh/etc/debian_version"))"
    rm -rf "$fresh"
done
