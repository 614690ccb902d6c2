# Sourced by the other scripts: finds out what is missing and installs it, saying what it does.
#
#   need COMMAND APT-PACKAGE BREW-FORMULA     a program
#   need_file FILE APT-PACKAGE                a header that the compiler wants (not on macOS)
#   has_swift                                 whether there is a Swift that is new enough
#   need_swift                                the compiler
#   need_to_build                             all that the program is built with
#   install_missing                           one call of the package manager for all of it
#   release_options                           prints how `swift build` makes the program that people run
#   tn_version, tn_commit, release_system     print what this is the source of, and what machine this is
#
# `root` is the folder of the source, the current folder unless the script has set it. Packages are named as Debian and
# Ubuntu name them; `native_name` knows what other systems call them.

missing=""
# Where the files of releases are: `ADDRESS/VERSION/FILE`. Nothing is fetched while it is empty.
release_address=${TN_RELEASES:-}
: "${root:=$PWD}"

need() {
    command -v "$1" >/dev/null 2>&1 && return
    case "$(uname -s)" in
        Darwin) missing="$missing $3" ;;
        *) missing="$missing $2" ;;
    esac
}

need_file() {
    [ "$(uname -s)" = Darwin ] || [ -e "$1" ] || missing="$missing $2"
}

# The decoders of pictures; macOS has its own.
need_picture_libraries() {
    need_file "${TN_HEADERS:-/usr/include}/jpeglib.h" libjpeg-dev
    need_file "${TN_HEADERS:-/usr/include}/png.h" libpng-dev
}

need_to_build() {
    need_swift
    need git git git
    need cc build-essential gcc
    need_file "${TN_HEADERS:-/usr/include}/sqlite3.h" libsqlite3-dev
    need_picture_libraries
    install_missing
}

install_missing() {
    [ -n "$missing" ] || return 0
    manager=""
    if [ "$(uname -s)" = Darwin ]; then
        command -v brew >/dev/null 2>&1 || fail "Homebrew is needed to install$missing: see https://brew.sh"
        manager=brew
    else
        for known in apt-get dnf pacman zypper xbps-install apk; do
            [ -n "$manager" ] || ! command -v $known >/dev/null 2>&1 || manager=$known
        done
        [ -n "$manager" ] || fail "Please install$missing with this system's package manager, then run this again."
    fi
    names=""
    for package in $missing; do names="$names $(native_name "$manager" "$package")"; done
    echo "Installing:$names" >&2
    # Word splitting is wanted: one argument a package.
    case "$manager" in
        brew) brew install $names >&2 </dev/null ;;
        apt-get)
            as_root apt-get update -qq >&2 </dev/null
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $names >&2 </dev/null ;;
        dnf) as_root dnf install -y -q $names >&2 </dev/null ;;
        pacman) as_root pacman -Sy --needed --noconfirm $names >&2 </dev/null ;;
        zypper) as_root zypper --non-interactive --quiet install $names >&2 </dev/null ;;
        xbps-install) as_root xbps-install -S -y $names >&2 </dev/null ;;
        apk) as_root apk add --quiet $names >&2 </dev/null ;;
    esac
    missing=""
}

# What Fedora (dnf), Arch (pacman), openSUSE (zypper), Void (xbps-install) and Alpine (apk) call a package of Debian.
native_name() {
    case "$1 $2" in
        "dnf build-essential") echo gcc gcc-c++ ;;
        "pacman build-essential") echo base-devel ;;
        "dnf libsqlite3-dev") echo sqlite-devel ;;
        "dnf libjpeg-dev") echo libjpeg-turbo-devel ;;
        "pacman libjpeg-dev") echo libjpeg-turbo ;;
        "dnf libpng-dev") echo libpng-devel ;;
        "pacman libpng-dev") echo libpng ;;
        "dnf sqlite3" | "pacman sqlite3" | "pacman libsqlite3-dev") echo sqlite ;;
        "zypper build-essential") echo gcc gcc-c++ make ;;
        "xbps-install build-essential") echo base-devel ;;
        "apk build-essential") echo build-base ;;
        "zypper libsqlite3-dev") echo sqlite3-devel ;;
        "xbps-install libsqlite3-dev") echo sqlite-devel ;;
        "apk libsqlite3-dev") echo sqlite-dev ;;
        "zypper libjpeg-dev") echo libjpeg8-devel ;;
        "xbps-install libjpeg-dev") echo libjpeg-turbo-devel ;;
        "apk libjpeg-dev") echo libjpeg-turbo-dev ;;
        "zypper libpng-dev") echo libpng16-devel ;;
        "xbps-install libpng-dev") echo libpng-devel ;;
        "xbps-install sqlite3" | "apk sqlite3") echo sqlite ;;
        "zypper gnupg") echo gpg2 ;;
        "dnf gnupg") echo gnupg2 ;;
        *) echo "$2" ;;
    esac
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

fail() {
    echo "$(basename "$0"): $1" >&2
    exit 69
}

# Debian has an older Swift, and OpenStack has a program named `swift` too.
has_swift() {
    needed=$(sed -n 's/^[^0-9]*swift-tools-version: *\([0-9.]*\).*/\1/p' "$root/Package.swift")
    swift --version 2>/dev/null </dev/null | awk -v needed="$needed" '
        match($0, /Swift version [0-9]+\.[0-9]+/) {
            split(substr($0, RSTART + 14, RLENGTH - 14), found, ".")
            split(needed, least, ".")
            isNew = found[1] + 0 > least[1] + 0 || found[1] + 0 == least[1] + 0 && found[2] + 0 >= least[2] + 0
        }
        END { exit !isNew }'
}

need_swift() {
    has_swift && return
    . "$root/Resources/swiftly.sh"
    use_installed_swift || install_swift
}

tn_version() { sed -n 's/^ *static let number = "\(.*\)"$/\1/p' "$root/Sources/tn/Version.swift"; }

# The commit of the source; nothing where it was unpacked from an archive, or changed since the commit.
tn_commit() {
    [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$(cd "$root" && pwd -P)" ] || return 0
    [ -z "$(git -C "$root" status --porcelain 2>/dev/null)" ] || return 0
    git -C "$root" rev-parse --short=9 HEAD
}

release_system() {
    machine=$(uname -m)
    [ "$machine" != arm64 ] || machine=aarch64
    if [ "$(uname -s)" = Darwin ]; then echo "macos-$machine"; else echo "linux-$machine"; fi
}

# One file that needs no Swift on the machine it is copied to, and on Linux no library of the system and so no dynamic
# linker: relocating and looking up symbols took a third of the time of `tn --new`. Apple's systems bring the library, and
# Fedora and Arch have no static sqlite, libjpeg and libpng, so there the program is linked to those of the system.
# These are options of the build and not settings of the package, which could not be a dependency with unsafe flags. Types
# are looked up by the compiler rather than by their names when the program starts, which is nearly a third of the work of
# `tn --new`.
#
# The symbol `icudt76_dat` names the tables of ICU, 34 MB, which Foundation refers to and tn does not need: days and clocks
# come from the system (`Zone`), texts from Swift. Named after something that is there anyway, they are not linked; ICU
# refuses what it finds there by its header, as it does where tables are missing. `Tests/Release/run.sh` tries the program.
# A toolchain with a newer ICU has another name, and then only the program is larger.
#
# Each function has a section of its own, so that the linker leaves out those that nothing refers to; `swift build` asks it
# to, but compiles the functions of a file into one section, which stays as a whole. Functions of the same code are linked
# once where nothing could compare their addresses (`--icf=safe`); a trace may then name another one of them.
release_options() {
    if [ "$(uname -s)" != Darwin ]; then
        echo --static-swift-stdlib -Xlinker --defsym=icudt76_dat=main -Xlinker --icf=safe
        echo -Xswiftc -Xfrontend -Xswiftc -function-sections
        for compiler in -Xcc -Xcxx; do echo $compiler -ffunction-sections $compiler -fdata-sections; done
        if has_static sqlite3 && has_static jpeg && has_static png; then echo -Xswiftc -static-executable; fi
    fi
    echo -c release -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
}

# The compiler prints the path of a library that it has, and the bare name of any other.
has_static() {
    case "$(cc -print-file-name="lib$1.a" 2>/dev/null)" in */*) ;; *) return 1 ;; esac
}
