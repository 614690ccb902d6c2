# Sourced where there is no Swift: installs it by swiftly, Swift's own installer, into the home folder.
#
#   use_installed_swift      finds the Swift that swiftly has installed; fails if there is none, or only an old one
#   install_swift            asks, and installs it; TN_YES=yes answers

swiftly_address=https://download.swift.org/swiftly

swiftly_home() {
    if [ "$(uname -s)" = Darwin ]; then
        echo "${SWIFTLY_HOME_DIR:-$HOME/.swiftly}"
    else
        echo "${SWIFTLY_HOME_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/swiftly}"
    fi
}

use_installed_swift() {
    home=$(swiftly_home)
    [ -f "$home/env.sh" ] || return 1
    # The file of another program may use variables that are not set.
    set +u
    . "$home/env.sh"
    set -u
    hash -r
    has_swift
}

install_swift() {
    home=$(swiftly_home)
    if [ "${TN_YES:-}" != yes ]; then
        advice="Swift 6.2 or newer is needed to build tn: install it from https://www.swift.org/install, or let this do it with --yes"
        (: </dev/tty) 2>/dev/null || fail "$advice"
        printf 'Swift is needed to build tn. Install it by its official installer into %s (about 3 GB)? [y/N] ' "$home" >/dev/tty
        answer=""
        read -r answer </dev/tty || true
        case "$answer" in y | Y | yes) ;; *) fail "$advice" ;; esac
    fi
    need curl curl curl
    # swiftly verifies the signatures of what it fetches; swiftly itself is trusted because it comes from swift.org by https.
    need gpg gnupg gnupg
    install_missing
    folder=$(mktemp -d)
    needed="$folder/needed.sh"
    if [ "$(uname -s)" = Darwin ]; then
        fetch_by_https "$swiftly_address/darwin/swiftly.pkg" "$folder/swiftly.pkg"
        installer -pkg "$folder/swiftly.pkg" -target CurrentUserHomeDirectory >&2
        swiftly="$HOME/.swiftly/bin/swiftly"
    else
        machine=$(uname -m)
        fetch_by_https "$swiftly_address/linux/swiftly-$machine.tar.gz" "$folder/swiftly.tar.gz"
        tar -xzf "$folder/swiftly.tar.gz" -C "$folder"
        swiftly="$folder/swiftly"
    fi
    "$swiftly" init --assume-yes --skip-install --no-modify-profile --quiet-shell-followup >&2 </dev/null ||
        fail "swiftly could not be set up: see https://www.swift.org/install"
    set +u
    . "$home/env.sh"
    set -u
    swiftly install latest --use --assume-yes --post-install-file="$needed" >&2 </dev/null ||
        fail "swiftly could not install Swift: see https://www.swift.org/install"
    # The packages of the system that this Swift needs, as swiftly names them.
    if [ -s "$needed" ]; then
        echo "Swift needs packages of the system, which swiftly installs by:" >&2
        cat "$needed" >&2
        as_root sh "$needed" >&2 </dev/null
    fi
    rm -rf "$folder"
    hash -r
    has_swift || fail "Swift was installed into $home, but the swift in PATH is none that can build tn: see https://www.swift.org/install"
}

# Nothing but https, on the way of every redirection too, and a page that says "not found" is a failure.
fetch_by_https() {
    curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 2 --output "$2" "$1" >&2 ||
        fail "$1 could not be fetched."
}
