#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# make_corpus.sh CASES CORPUS
#
# Makes a seed for fuzz_manifest of each case of CASES/bad and CASES/good: its manifest list first,
# if it has one, then its manifests, with "====" between, and the names in the list changed to those
# that the fuzzer gives to the parts: 1.yaml and so on.

set -u
cases=$1
corpus=$2
mkdir -p "$corpus" || exit 1

is_list() {
    grep -q manifest_list "$1"
}

write_seed() {
    seed=$1
    shift
    script=
    index=1
    list=
    for file in "$@"; do
        if is_list "$file"; then
            list=$file
        else
            name=$(basename "$file" | sed 's/\./\\./g')
            script="$script;s|[^ \"]*$name|$index.yaml|"
            index=$((index + 1))
        fi
    done
    {
        if [ -n "$list" ]; then
            sed "${script#;}" "$list"
        fi
        separator=$list
        for file in "$@"; do
            if ! is_list "$file"; then
                if [ -n "$separator" ]; then
                    printf '====\n'
                fi
                cat "$file"
                separator=yes
            fi
        done
    } >"$seed"
}

for directory in "$cases"/bad/*/ "$cases"/good/*/; do
    name=$(basename "$directory")
    # Word splitting: no file of a case has a blank in its name.
    # shellcheck disable=SC2046
    set -- $(find "$directory" -path '*/expected/*' -prune -o \
        \( -name '*.yaml' -o -name '*.json' \) -print | sort)
    if [ $# -gt 0 ]; then
        write_seed "$corpus/$name" "$@"
    fi
done
