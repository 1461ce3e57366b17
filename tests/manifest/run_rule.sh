#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# run_rule.sh RULE CASES SCRATCH COMMAND...
#
# Checks one rule of how the manifest compiler COMMAND treats its outputs. CASES is the directory
# with the subdirectories good and bad; the rules are the functions rule_* below.

set -u
LC_ALL=C
export LC_ALL

rule=$1
cases=$2
scratch=$3
shift 3

good=$cases/good/minimal/sp.yaml
bad=$cases/bad/unknown_attribute/sp.yaml
output=$scratch/output

fail() {
    echo "$rule: $*" >&2
    exit 1
}

expect_status() {
    if [ "$2" -ne "$1" ]; then
        cat "$scratch/stderr" >&2
        fail "exit status $2, expected $1"
    fi
}

compile() {
    "$@" >"$scratch/stdout" 2>"$scratch/stderr"
}

make_outputs() {
    compile "$@" --image system --output "$output" "$good"
    expect_status 0 $?
}

# Every file with its size, time of change and sum of contents.
snapshot() {
    find "$output" -exec ls -ld --full-time {} + 2>/dev/null || find "$output" -exec ls -ld {} +
    find "$output" -type f -exec cksum {} +
}

rule_mistakes_leave_outputs_untouched() {
    make_outputs "$@"
    snapshot >"$scratch/before"
    compile "$@" --image system --output "$output" "$good" "$bad"
    expect_status 1 $?
    snapshot >"$scratch/after"
    diff -u "$scratch/before" "$scratch/after" >&2 || fail "outputs changed despite a mistake"
}

rule_only_changed_outputs_are_written() {
    make_outputs "$@"
    touch -t 200001020000 "$scratch/day_after"
    find "$output" -type f -exec touch -t 200001010000 {} +
    sed 's/0x0000FA01/0x0000FA02/' "$good" >"$scratch/sp.yaml"
    compile "$@" --image system --output "$output" "$scratch/sp.yaml"
    expect_status 0 $?
    (cd "$output" && find . -type f -newer "$scratch/day_after" | sort) >"$scratch/written"
    printf '%s\n' ./psa_manifest/sid.h ./system.c | diff -u - "$scratch/written" >&2 ||
        fail "a new SID changes sid.h and the image alone"
    grep -q 'ECHO_SID (0x0000FA02U)' "$output/psa_manifest/sid.h" || fail "sid.h is not new"
}

# A directory stands where a header must go.
rule_failed_write_changes_nothing() {
    make_outputs "$@"
    rm "$output/psa_manifest/pid.h"
    mkdir "$output/psa_manifest/pid.h"
    snapshot >"$scratch/before"
    sed 's/MY_SP/NEW_SP/' "$good" >"$scratch/sp.yaml"
    compile "$@" --image system --output "$output" "$scratch/sp.yaml"
    expect_status 1 $?
    grep -q "cannot write '$output/psa_manifest/pid.h'" "$scratch/stderr" ||
        fail "does not name the file: $(cat "$scratch/stderr")"
    find "$output" -type f -exec cksum {} + >"$scratch/after"
    grep -v '^[-d]' "$scratch/before" | diff -u - "$scratch/after" >&2 ||
        fail "files changed although one could not be written"
}

rule_output_directory_is_made() {
    compile "$@" --image system --output "$output/with/parents/" "$good"
    expect_status 0 $?
    [ -f "$output/with/parents/psa_manifest/sid.h" ] || fail "no sid.h in the new directory"
}

rule_output_below_a_file_is_refused() {
    : >"$output"
    compile "$@" --image system --output "$output/directory" "$good"
    expect_status 1 $?
    grep -q "spm_manifest: cannot make directory '$output" "$scratch/stderr" ||
        fail "does not name the directory: $(cat "$scratch/stderr")"
}

rule_check_prints_and_writes_nothing() {
    compile "$@" --check --image system --output "$output" "$good"
    expect_status 0 $?
    if [ -s "$scratch/stdout" ] || [ -s "$scratch/stderr" ]; then
        fail "printed something"
    fi
    [ ! -e "$output" ] || fail "wrote files"
}

rule_check_finds_mistakes() {
    compile "$@" --check "$bad"
    expect_status 1 $?
    grep -q "unknown attribute 'stacksize'" "$scratch/stderr" || fail "did not find the mistake"
}

rule_mistakes_beyond_ten_thousand_are_counted() {
    awk 'BEGIN { printf "services: [&s x"; for (i = 1; i < 12000; i++) printf ", *s"; print "]" }' \
        >"$scratch/sp.yaml"
    compile "$@" --check "$scratch/sp.yaml"
    expect_status 1 $?
    grep -c "a service is 'x'" "$scratch/stderr" | grep -qx 1 || fail "one place, one mistake"
    tail -n 1 "$scratch/stderr" | grep -q '^spm_manifest: [0-9]* more mistakes$' ||
        fail "does not count the rest"
}

# A terminated option list, so that a manifest may have any name.
rule_names_that_look_like_options_follow_two_dashes() {
    cp "$good" "$scratch/--check.yaml"
    cd "$scratch" || exit 1
    compile "$@" --list-partitions -- --check.yaml
    expect_status 0 $?
    echo "MY_SP --check.yaml my_sp_main" | diff -u - "$scratch/stdout" >&2 || fail "not read"
}

rule_help_and_version_are_printed() {
    compile "$@" --help
    expect_status 0 $?
    for option in image output isolation-level backend config list check map dot \
        list-partitions help version; do
        grep -q -- "--$option" "$scratch/stdout" || fail "--help does not mention --$option"
    done
    compile "$@" --version
    expect_status 0 $?
    grep -q '^spm_manifest [0-9]' "$scratch/stdout" || fail "--version prints no version"
}

rm -rf "$scratch"
mkdir -p "$scratch" || exit 1
"rule_$rule" "$@"
