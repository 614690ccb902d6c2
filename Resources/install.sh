#!/bin/sh
# Installs tn with its manual page, completions and the handler for takenote:// addresses, or removes them.
#
#   sh Resources/install.sh [--prefix DIR] [--uninstall]
#
# DIR is ~/.local unless given. TN_BINARY names a binary that is built already.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/Resources/prerequisites.sh"

prefix="$HOME/.local"
uninstall=""
while [ $# -gt 0 ]; do
    case "$1" in
        --prefix) [ $# -gt 1 ] || { echo "install.sh: --prefix needs a folder" >&2; exit 64; }
            prefix=$2; shift ;;
        --prefix=*) prefix=${1#--prefix=} ;;
        --uninstall) uninstall=yes ;;
        -h|--help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "install.sh: unknown option $1; see --help" >&2; exit 64 ;;
    esac
    shift
done

# The current folder is where the user is; a relative prefix means a folder in it.
case "$prefix" in /*) ;; *) prefix="$PWD/$prefix" ;; esac

binary="$prefix/bin/tn"
manual="$prefix/share/man/man1/tn.1"
bash="$prefix/share/bash-completion/completions/tn"
zsh="$prefix/share/zsh/site-functions/_tn"
fish="$prefix/share/fish/vendor_completions.d/tn.fish"
desktop="$prefix/share/applications/takenote.desktop"

# Tells the desktop what has changed, where there is one.
refresh() {
    command -v update-desktop-database >/dev/null 2>&1 || return 0
    update-desktop-database -q "$prefix/share/applications" || true
}

if [ -n "$uninstall" ]; then
    rm -f "$binary" "$manual" "$bash" "$zsh" "$fish" "$desktop"
    refresh
    echo "Removed tn from $prefix; your notes are where they were."
    exit 0
fi

built=${TN_BINARY:-}
if [ -z "$built" ]; then
    sh "$root/Resources/run.sh" --version >/dev/null
    built="$root/.build/release/tn"
fi

mkdir -p "$(dirname "$binary")" "$(dirname "$manual")" "$(dirname "$bash")" "$(dirname "$zsh")" \
    "$(dirname "$fish")" "$(dirname "$desktop")"
# A program that is running cannot be written to, but it can be replaced. Its symbols are two thirds of it, and stay where
# it was built; a program of Apple's systems is signed as it is.
if [ "$(uname -s)" = Darwin ] || ! strip -o "$binary.new" "$built" 2>/dev/null; then cp "$built" "$binary.new"; fi
chmod 755 "$binary.new"
mv "$binary.new" "$binary"
"$binary" manual >"$manual"
"$binary" --generate-completion-script bash >"$bash"
"$binary" --generate-completion-script zsh >"$zsh"
"$binary" --generate-completion-script fish >"$fish"
# The desktop splits the line at blanks, and reads codes that begin with %.
program=$(printf '%s' "$binary" | sed 's/%/%%/g')
case "$program" in
    *[!A-Za-z0-9/._+,@:%-]*) program="\"$(printf '%s' "$program" | sed 's/[\"`$]/\\\\&/g')\"" ;;
esac
program=$(printf '%s' "$program" | sed 's/[\\&|]/\\&/g')
sed "s|^Exec=tn|Exec=$program|" "$root/Resources/takenote.desktop" >"$desktop"
refresh

echo "Installed tn in $prefix/bin."
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "Add $prefix/bin to PATH to use it." ;;
esac
