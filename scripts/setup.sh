# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Installs what packages.txt lists and the machine lacks. Read (`. scripts/setup.sh`) by ./demo and
# ./check with the project's directory as the current one; POSIX sh.
#
#   setup demo            what is needed
#   setup demo check      that of both
#   setup_optional lint   what can be done without; never fails
#
# Where packages cannot be installed, what counts is whether the tools are there all the same.

packages_marked() {
    awk -v marks=" $* " '!/^#/ && NF && index(marks, " " $2 " ") { print $1 }' packages.txt
}

missing_packages() {
    for package in $(packages_marked "$@"); do
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

# Runs a command as root.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# Whether packages can be installed here; says why not, and how if not as usual.
can_install() {
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
        echo "setup: there is no apt here to install packages with"
    elif [ "$(id -u)" -eq 0 ]; then
        return 0
    elif command -v sudo >/dev/null 2>&1; then
        echo "setup: packages are installed by sudo, which may ask for your password"
        return 0
    else
        echo "setup: to install packages takes root or sudo"
    fi
    return 1
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
            apt_install "$@" >/dev/null
    }
}

setup() {
    missing=$(missing_packages "$@" | tr '\n' ' ')
    if [ -z "$missing" ]; then
        return 0
    fi
    if can_install; then
        echo "setup: installing $missing"
        # shellcheck disable=SC2086 # one word for each package
        if install_packages $missing; then
            return 0
        fi
        echo "setup: the installation failed" >&2
    fi

    tools=$(missing_tools | tr '\n' ' ')
    if [ -z "$tools" ]; then
        echo "setup: going on with the tools that are there"
        return 0
    fi
    echo "setup: missing: $tools" >&2
    echo "setup: packages.txt lists what is needed, by the names that Debian and Ubuntu use." >&2
    echo "setup: Install it with your system's package manager and run this again; with apt, as root:" >&2
    echo "apt-get install --no-install-recommends $missing" >&2
    exit 1
}

setup_optional() {
    for package in $(missing_packages "$@"); do
        echo "setup: installing $package"
        if ! can_install >/dev/null || ! apt_install "$package" >/dev/null 2>&1; then
            echo "setup: could not install $package; going on without it"
        fi
    done
}
