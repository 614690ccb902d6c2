#!/bin/sh
# Makes a Debian package of a tree that release.sh has laid out.
#
#   sh deb.sh TREE VERSION COPYRIGHT OUTPUT
#
# What the program depends on is read from what it is linked to. SOURCE_DATE_EPOCH gives the time of the files.
set -eu
tree=$1 version=$2 copyright=$3 output=$4

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
package="$place/package"
mkdir -p "$package/DEBIAN" "$package/usr"
cp -R "$tree/." "$package/usr/"
# Debian looks for zsh's functions of packages elsewhere.
mkdir -p "$package/usr/share/zsh/vendor-completions"
mv "$package/usr/share/zsh/site-functions/_tn" "$package/usr/share/zsh/vendor-completions/_tn"
rmdir "$package/usr/share/zsh/site-functions"
gzip -9n "$package/usr/share/man/man1/tn.1" "$package/usr/share/doc/tn/CHANGELOG.md"
mv "$package/usr/share/doc/tn/CHANGELOG.md.gz" "$package/usr/share/doc/tn/changelog.gz"
sed -i 's|](CHANGELOG\.md)|](changelog.gz)|g' "$package/usr/share/doc/tn/"*.md
cp "$copyright" "$package/usr/share/doc/tn/copyright"

# A program that is linked to nothing depends on nothing; of any other dpkg-shlibdeps knows the packages. It passes over
# libraries that stand in a folder of their own, as those of Swift.
depends=""
needed=$(readelf -d "$package/usr/bin/tn" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
    dpkg -S "*/$library" >/dev/null 2>&1 && continue
    echo "deb.sh: the program is linked to $library, which no package has." >&2
    exit 70
done
if [ -n "$needed" ]; then
    mkdir -p "$place/source/debian"
    printf 'Source: tn\n\nPackage: tn\nArchitecture: any\n' >"$place/source/debian/control"
    (cd "$place/source" && dpkg-shlibdeps -O "$package/usr/bin/tn") >"$place/depends" 2>"$place/log" || {
        cat "$place/log" >&2
        echo "deb.sh: the program is linked to libraries that no package has." >&2
        exit 70
    }
    depends=$(sed -n 's/^shlibs:Depends=//p' "$place/depends")
fi

architecture=$(dpkg --print-architecture)
{
    echo "Package: tn"
    echo "Version: $version"
    echo "Architecture: $architecture"
    echo "Maintainer: ${DEBFULLNAME:-The maintainers of tn} <${DEBEMAIL:-maintainers@tn.invalid}>"
    echo "Installed-Size: $(find "$package/usr" -type f -exec wc -c {} + | awk '$2 != "total" { kb += int(($1 + 1023) / 1024) } END { print kb }')"
    [ -z "$depends" ] || echo "Depends: $depends"
    # It runs without any of them; each does one thing that it is asked for.
    echo "Suggests: git, curl, tzdata, xdg-utils, wl-clipboard | xclip | xsel, pandoc"
    echo "Section: text"
    echo "Priority: optional"
    echo "Description: Markdown notebook that lives in the terminal"
    echo " TakeNote for the terminal: notes in three panes, with instant search, links"
    echo " and backlinks, projects for writers, and capture from the shell. One program,"
    echo " one local SQLite file, no account, no network unless asked."
} >"$package/DEBIAN/control"
(cd "$package" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2) >"$package/DEBIAN/md5sums"
find "$package" -type d -exec chmod 755 {} +
chmod 644 "$package"/DEBIAN/*
find "$package" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$package" "$output/tn_${version}_$architecture.deb" >/dev/null
