#!/bin/sh
# Tries Resources/run.sh on machines without Swift, in a few seconds: the network, the package managers, swiftly and the
# compiler are stand-ins, and nothing else is in PATH.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
. "$root/Resources/prerequisites.sh"
version=$(tn_version)

# MARK: Stand-ins

stand_in() { cat >"$1"; chmod 755 "$1"; }

# What a machine of each kind has: a folder of commands with the tools that all have, and its package manager.
make_machine() {
    machine="$place/machine"
    rm -rf "$machine"
    mkdir -p "$machine/bin" "$machine/home" "$machine/net" "$machine/source/Sources/tn" "$machine/swift"
    for tool in sh cat sed awk cut tr head tail tar gzip mktemp mkdir mv cp rm ls ln chmod dirname basename sha256sum env cmp wc; do
        ln -s "$(command -v $tool)" "$machine/bin/$tool"
    done
    cp -R "$root/Resources" "$root/Package.swift" "$machine/source/"
    cp "$root/Sources/tn/Version.swift" "$machine/source/Sources/tn/"
    : >"$machine/log"
    stand_in "$machine/bin/uname" <<STAND
#!/bin/sh
case "\$1" in -s) echo $2 ;; *) echo $3 ;; esac
STAND
    stand_in "$machine/bin/id" <<STAND
#!/bin/sh
echo 1000
STAND
    stand_in "$machine/bin/sudo" <<STAND
#!/bin/sh
echo "sudo" >>"$machine/log"
exec "\$@"
STAND
    # A package that is installed brings its command or its header.
    stand_in "$machine/bin/$1" <<STAND
#!/bin/sh
echo "$1 \$*" >>"$machine/log"
for word; do case "\$word" in
    git | gcc | build-essential | base-devel | build-base) : >"$machine/bin/cc"; : >"$machine/bin/git"; chmod 755 "$machine/bin/cc" "$machine/bin/git" ;;
    gnupg | gnupg2 | gpg2) : >"$machine/bin/gpg"; chmod 755 "$machine/bin/gpg" ;;
esac; done
STAND
    # The network is a folder; what is not there is not found.
    stand_in "$machine/bin/curl" <<STAND
#!/bin/sh
while [ \$# -gt 0 ]; do case "\$1" in --output) to=\$2; shift ;; esac; last=\$1; shift; done
echo "curl \$last" >>"$machine/log"
[ -f "$machine/net/\${last#*://}" ] || { echo "curl: (22) 404" >&2; exit 22; }
cp "$machine/net/\${last#*://}" "\$to"
STAND
}

# What swiftly would do with the files that it is given.
publish_swiftly() {
    stand_in "$place/swiftly" <<STAND
#!/bin/sh
echo "swiftly \$*" >>"$machine/log"
home="\${SWIFTLY_HOME_DIR:-$1}"
case "\$1" in
    init)
        mkdir -p "\$home/bin"
        cp "$place/swiftly" "\$home/bin/swiftly"
        echo "export PATH=\"\$home/bin:\\\$PATH\"; : \\\$SOMETHING_UNSET" >"\$home/env.sh" ;;
    install)
        for word; do case "\$word" in --post-install-file=*) echo "echo needed by swift >>$machine/log" >"\${word#*=}" ;; esac; done
        cp "$place/swift" "\$home/bin/swift" ;;
esac
STAND
    stand_in "$place/swift" <<STAND
#!/bin/sh
case "\$1" in --version) echo "Swift version 12.0.1 (swift-12.0.1-RELEASE)"; exit ;; esac
echo "swift \$*" >>"$machine/log"
mkdir -p "$machine/source/.build/release"
printf '#!/bin/sh\necho built: "\$@"\n' >"$machine/source/.build/release/tn"
chmod 755 "$machine/source/.build/release/tn"
STAND
    mkdir -p "$machine/net/download.swift.org/swiftly/linux" "$machine/net/download.swift.org/swiftly/darwin"
    tar -czf "$machine/net/download.swift.org/swiftly/linux/swiftly-x86_64.tar.gz" -C "$place" swiftly
    echo pkg >"$machine/net/download.swift.org/swiftly/darwin/swiftly.pkg"
}

publish_release() {
    name="tn-$version-linux-x86_64"
    folder="$machine/net/example.org/tn/$version"
    mkdir -p "$folder" "$place/release/$name/bin"
    printf '#!/bin/sh\necho published: "$@"\n' >"$place/release/$name/bin/tn"
    chmod 755 "$place/release/$name/bin/tn"
    tar -czf "$folder/$name.tar.gz" -C "$place/release" "$name"
    (cd "$folder" && sha256sum "$name.tar.gz" >SHA256SUMS)
}

# Runs it there, without a terminal: what it prints is in `said`, what it complains about in `told`.
run() {
    status=0
    detached=""
    ! command -v setsid >/dev/null 2>&1 || detached="setsid -w"
    $detached env -i HOME="$machine/home" PATH="$machine/bin" TN_RELEASES="${address:-}" TN_HEADERS="$machine/headers" \
        TMPDIR="$place" "$machine/bin/sh" "$machine/source/Resources/run.sh" "$@" >"$place/said" 2>"$place/told" </dev/null || status=$?
    said=$(cat "$place/said")
    told=$(cat "$place/told")
}

fails() { echo "without-swift: $what: $1" >&2; sed 's/^/  /' "$place/told" "$machine/log" >&2; exit 1; }
expect() { [ "$2" = "$3" ] || fails "$1: expected “$2”, found “$3”"; }
expect_log() { grep -qF -- "$1" "$machine/log" || fails "it did not say “$1”"; }
expect_no() { ! grep -qF -- "$1" "$machine/log" || fails "it said “$1”"; }
expect_told() { case "$told" in *"$1"*) ;; *) fails "it did not tell “$1”" ;; esac; }

# MARK: The release of this version

what="a published release"
make_machine apt-get Linux x86_64
publish_release
address=https://example.org/tn
run --new 'two  words' '*'
expect "its words" "published: --new two  words *" "$said"
expect "its status" 0 "$status"
expect "what was fetched" 2 "$(grep -c ^curl "$machine/log")"
run list
expect "the second start" "published: list" "$said"
expect "what was fetched by then" 2 "$(grep -c ^curl "$machine/log")"
expect_no sudo

what="a release that was changed"
make_machine apt-get Linux x86_64
publish_release
publish_swiftly "$machine/home/.local/share/swiftly"
echo more >>"$machine/net/example.org/tn/$version/tn-$version-linux-x86_64.tar.gz"
run --yes --version
expect "its status" 65 "$status"
expect "its words" "" "$said"
expect_told "is not what was published"
expect "what is kept of it" "" "$(ls "$machine/source/.build/published")"
expect_no swiftly
run --yes --version
expect "its status the second time" 65 "$status"

what="a release without its program"
make_machine apt-get Linux x86_64
publish_release
rm "$place/release/tn-$version-linux-x86_64/bin/tn"
tar -czf "$folder/$name.tar.gz" -C "$place/release" "$name"
(cd "$folder" && sha256sum "$name.tar.gz" >SHA256SUMS)
run
expect "its status" 65 "$status"
rm -rf "$place/release"

what="an address without protection"
make_machine apt-get Linux x86_64
address=http://example.org/tn
run --yes
expect_no "curl http:"
expect_told "is not an address of https"

# MARK: Swift

what="no release and nobody to ask"
make_machine apt-get Linux x86_64
publish_swiftly "$machine/home/.local/share/swiftly"
address=https://example.org/tn
run list
expect "its status" 69 "$status"
expect_told "let this do it with --yes"
expect_no swiftly
expect_no apt-get

what="a release of other machines only"
make_machine apt-get Linux aarch64
publish_release
address=https://example.org/tn
run list
expect "its status" 69 "$status"
expect_told "There is no release of tn $version for this machine"

address=""
for system in "apt-get|build-essential libsqlite3-dev libjpeg-dev libpng-dev" \
    "dnf|gcc gcc-c++ sqlite-devel libjpeg-turbo-devel libpng-devel" "pacman|base-devel sqlite libjpeg-turbo libpng" \
    "zypper|gcc gcc-c++ make sqlite3-devel libjpeg8-devel libpng16-devel" \
    "xbps-install|base-devel sqlite-devel libjpeg-turbo-devel libpng-devel" \
    "apk|build-base sqlite-dev libjpeg-turbo-dev libpng-dev"; do
    manager=${system%%|*}
    what="Swift by swiftly, with $manager"
    make_machine "$manager" Linux x86_64
    publish_swiftly "$machine/home/.local/share/swiftly"
    run --yes --new 'a note'
    expect "its status" 0 "$status"
    expect "its words" "built: --new a note" "$said"
    expect_log "swiftly init --assume-yes"
    expect_log "swiftly install latest"
    expect_log "needed by swift"
    expect_log "${system#*|}"
    expect_log "swift build"
    expect_no "curl https://example.org"
    # Swift is there now, though not in PATH.
    : >"$machine/log"
    run list
    expect "the second start" "built: list" "$said"
    expect_no swiftly
done

what="a swift that cannot build it"
for version_text in "Swift version 6.0.3 (swift-6.0.3-RELEASE)" "python-swiftclient 4.7.0"; do
    make_machine apt-get Linux x86_64
    publish_swiftly "$machine/home/.local/share/swiftly"
    printf '#!/bin/sh\necho "%s"\n' "$version_text" | stand_in "$machine/bin/swift"
    run list
    expect "its status" 69 "$status"
    expect_told "Swift 6.2 or newer is needed"
    run --yes list
    expect "its words" "built: list" "$said"
    expect_log "swiftly install latest"
done

what="a swift that is new enough"
make_machine apt-get Linux x86_64
publish_swiftly "$machine/home/.local/share/swiftly"
cp "$place/swift" "$machine/bin/swift"
run --yes list
expect "its words" "built: list" "$said"
expect_no "curl https://download.swift.org"

what="macOS"
make_machine brew Darwin arm64
publish_swiftly "$machine/home/.swiftly"
stand_in "$machine/bin/installer" <<STAND
#!/bin/sh
mkdir -p "$machine/home/.swiftly/bin"
cp "$place/swiftly" "$machine/home/.swiftly/bin/swiftly"
STAND
run --yes list
expect "its words" "built: list" "$said"
expect_no sqlite
expect_no static

what="swiftly that fails"
make_machine apt-get Linux x86_64
publish_swiftly "$machine/home/.local/share/swiftly"
printf '#!/bin/sh\nexit 3\n' >"$place/swiftly"
tar -czf "$machine/net/download.swift.org/swiftly/linux/swiftly-x86_64.tar.gz" -C "$place" swiftly
run --yes list
expect "its status" 69 "$status"
expect_told "swiftly could not be set up"

what="no package manager that is known"
make_machine emerge Linux x86_64
publish_swiftly "$machine/home/.local/share/swiftly"
run --yes list
expect "its status" 69 "$status"
expect_told "with this system's package manager"

echo "without-swift: a published release, a changed one, none; Debian, Fedora, Arch, macOS and a stranger"
