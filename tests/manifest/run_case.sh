#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# run_case.sh KIND CASE SCRATCH COMMAND...
#
# Runs the manifest compiler COMMAND on the directory CASE, and compares all that it does with what
# the case expects. Arguments are the lines of CASE/arguments, or else every manifest in CASE.
#
#   bad    fails with status 1 and writes exactly CASE/expected to stderr; writes no file
#   usage  the same with status 2
#   good   writes exactly the files of CASE/expected; a second run leaves each of them alone;
#          prints CASE/expected.map, .dot and .list, where present, for --map, --dot and
#          --list-partitions

set -u
LC_ALL=C
export LC_ALL

kind=$1
case_directory=$2
scratch=$3
shift 3

fail() {
    echo "$case_directory: $*" >&2
    exit 1
}

rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
cd "$case_directory" || exit 1
scratch=$(cd "$OLDPWD" && cd "$scratch" && pwd)
output=$scratch/output

# The arguments of the case, one to a line, go behind those of the command.
if [ -f arguments ]; then
    while IFS= read -r argument; do
        set -- "$@" "$argument"
    done <arguments
elif [ "$kind" != usage ]; then
    for argument in *.yaml *.json; do
        if [ -f "$argument" ]; then
            set -- "$@" "$argument"
        fi
    done
fi

compile() {
    "$@" --image system --output "$output" >"$scratch/stdout" 2>"$scratch/stderr"
}

expect_status() {
    if [ "$2" -ne "$1" ]; then
        cat "$scratch/stderr" >&2
        fail "exit status $2, expected $1"
    fi
}

expect_nothing_printed() {
    diff -u /dev/null "$scratch/$1" >&2 || fail "printed to $1"
}

# Each mistake has the form "file:line:column: what is wrong; what is allowed".
expect_form_of_mistakes() {
    if grep -v '^[^:]*:[1-9][0-9]*:[1-9][0-9]*: .*; .' expected >&2; then
        fail "expected mistakes of another form"
    fi
}

run_bad() {
    expect_form_of_mistakes
    compile "$@"
    expect_status 1 $?
    diff -u expected "$scratch/stderr" >&2 || fail "other mistakes than expected"
    expect_nothing_printed stdout
    [ ! -e "$output" ] || fail "wrote files despite mistakes"
}

run_usage() {
    "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    expect_status 2 $?
    diff -u expected "$scratch/stderr" >&2 || fail "another message than expected"
    expect_nothing_printed stdout
}

run_text_mode() {
    option=$1
    expected=$2
    shift 2
    if [ -f "$expected" ]; then
        "$@" "$option" >"$scratch/stdout" 2>"$scratch/stderr"
        expect_status 0 $?
        diff -u "$expected" "$scratch/stdout" >&2 || fail "$option prints something else"
        expect_nothing_printed stderr
    fi
}

run_good() {
    compile "$@"
    expect_status 0 $?
    expect_nothing_printed stderr
    expect_nothing_printed stdout
    diff -ru expected "$output" >&2 || fail "other files than expected"

    touch -t 200001020000 "$scratch/day_after"
    find "$output" -type f -exec touch -t 200001010000 {} +
    compile "$@"
    expect_status 0 $?
    touched=$(find "$output" -type f -newer "$scratch/day_after")
    [ -z "$touched" ] || fail "touched without a change: $touched"
    diff -ru expected "$output" >&2 || fail "other files in a second run"

    run_text_mode --map expected.map "$@"
    run_text_mode --dot expected.dot "$@"
    run_text_mode --list-partitions expected.list "$@"
}

case $kind in
bad) run_bad "$@" ;;
usage) run_usage "$@" ;;
good) run_good "$@" ;;
*) fail "no such kind of case: $kind" ;;
esac
