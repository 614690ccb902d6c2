# Sourced by the other scripts: finds out what is missing and installs it, saying what it does.
#
#   need COMMAND APT-PACKAGE BREW-FORMULA     a program
#   need_file FILE APT-PACKAGE                a header that the compiler wants (Debian and Ubuntu only)
#   install_missing                           one call of the package manager for all of it
#   release_options                           prints how `swift build` makes the program that people run

missing=""

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
    need_file /usr/include/jpeglib.h libjpeg-dev
    need_file /usr/include/png.h libpng-dev
}

install_missing() {
    [ -n "$missing" ] || return 0
    echo "Installing:$missing" >&2
    if [ "$(uname -s)" = Darwin ]; then
        command -v brew >/dev/null 2>&1 || fail "Homebrew is needed to install$missing: see https://brew.sh"
        # Word splitting is wanted: one argument a package.
        brew install $missing >&2 </dev/null
    elif command -v apt-get >/dev/null 2>&1; then
        as_root apt-get update -qq >&2 </dev/null
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >&2 </dev/null
    else
        fail "Please install$missing with this system's package manager, then run this again."
    fi
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

fail() {
    echo "$(basename "$0"): $1" >&2
    exit 69
}

need_swift() {
    command -v swift >/dev/null 2>&1 && return
    if [ "$(uname -s)" = Darwin ]; then
        missing="$missing swift"
    else
        fail "Swift 6.2 or newer is needed to build tn: see https://www.swift.org/install"
    fi
}

# One file that needs no Swift on the machine it is copied to, and on Linux no library of the system and so no dynamic
# linker: relocating and looking up symbols took a third of the time of `tn --new`. Apple's systems bring the library.
# These are options of the build and not settings of the package, which could not be a dependency with unsafe flags. Types
# are looked up by the compiler rather than by their names when the program starts, which is nearly a third of the work of
# `tn --new`.
#
# The symbol `icudt76_dat` names the tables of ICU, 34 MB, which Foundation refers to and tn does not need: days and clocks
# come from the system (`Zone`), texts from Swift. Named after something that is there anyway, they are not linked; ICU
# refuses what it finds there by its header, as it does where tables are missing. `Tests/Release/run.sh` tries the program.
# A toolchain with a newer ICU has another name, and then only the program is larger.
release_options() {
    [ "$(uname -s)" = Darwin ] ||
        echo --static-swift-stdlib -Xswiftc -static-executable -Xlinker --defsym=icudt76_dat=main
    echo -c release -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
}
