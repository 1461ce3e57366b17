# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Installs what packages.txt lists and the machine lacks. Read (`. scripts/setup.sh`) by ./demo and
# ./check with the project's directory as the current one; POSIX sh.
#
#   setup demo | setup check    all that is marked so; check includes demo
#
# Where packages cannot be installed, what counts is whether the tools are there all the same.

packages_for() {
    awk -v wanted="$1" '!/^#/ && NF && (wanted == "check" || $2 == wanted) { print $1 }' packages.txt
}

missing_packages() {
    for package in $(packages_for "$1"); do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=
        if [ "$status" != installed ]; then
            echo "$package"
        fi
    done
}

# The tools and libraries without which nothing can be built, looked for themselves.
missing_tools() {
    for tool in cc c++ cmake ninja pkg-config ld.bfd objcopy; do
        command -v "$tool" >/dev/null 2>&1 || echo "$tool"
    done
    for library in yaml-0.1 cmocka; do
        pkg-config --exists "$library" 2>/dev/null || echo "$library"
    done
}

# Runs a command as root; fails if that is not possible.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "setup: to install packages needs root, and there is no sudo" >&2
        return 1
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# The package lists of a fresh machine are empty, those of an old one out of date: the first try
# tells, so that a good list is not fetched again.
install_packages() {
    apt_install "$@" >/dev/null 2>&1 || {
        echo "setup: updating the package lists" &&
            as_root apt-get update -qq &&
            apt_install "$@"
    }
}

setup() {
    if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
        missing=$(missing_packages "$1" | tr '\n' ' ')
        if [ -z "$missing" ]; then
            return 0
        fi
        echo "setup: installing $missing"
        if [ "$(id -u)" -ne 0 ]; then
            echo "setup: by sudo, which may ask for your password"
        fi
        # shellcheck disable=SC2086 # one word for each package
        if install_packages $missing; then
            return 0
        fi
        echo "setup: could not install: $missing" >&2
    else
        missing=$(packages_for "$1" | tr '\n' ' ')
    fi

    tools=$(missing_tools | tr '\n' ' ')
    if [ -z "$tools" ]; then
        echo "setup: going on with the tools that are there"
        return 0
    fi
    echo "setup: missing: $tools" >&2
    echo "setup: packages.txt lists what the project needs, by the names of Debian and Ubuntu:" >&2
    echo "    $missing" >&2
    echo "setup: install these with your system's package manager (with apt, as root:" >&2
    echo "    apt-get install $missing" >&2
    echo "), then run this again" >&2
    exit 1
}
