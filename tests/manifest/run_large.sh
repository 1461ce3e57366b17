#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# run_large.sh SCRATCH WRITER COMMAND...
#
# A system of 1,000 partitions with 10,000 services takes at most 30 times as long as one of 100,
# and a little: the effort grows with the size, not with its square. Times are of the processor.

set -u

scratch=$1
writer=$2
shift 2

# Hundredths of a second that the children of a shell have used.
seconds_of() {
    count=$1
    shift
    rm -rf "${scratch:?}/$count"
    mkdir -p "$scratch/$count" && "$writer" "$scratch/$count" "$count" || exit 1
    (
        "$@" --image large --output "$scratch/$count/output" --list "$scratch/$count/list.yaml" ||
            exit 1
        times
    ) >"$scratch/times" || return 1
    # The second line of times: user and system time of the children, as 0m0.120s.
    sed -n '2{s/\([0-9]*\)m\([0-9]*\)[.,]\([0-9][0-9]\)[0-9]*s/\1 \2 \3/g;p;}' "$scratch/times" |
        while read -r um us uh sm ss sh; do
            echo $(((um + sm) * 6000 + (us + ss) * 100 + (1$uh - 100) + (1$sh - 100)))
        done
}

small=$(seconds_of 100 "$@") || exit 1
large=$(seconds_of 1000 "$@") || exit 1
echo "100 partitions: $small, 1000 partitions: $large hundredths of a second"
services=$(grep -c '^#define S_[0-9_]*_SID ' "$scratch/1000/output/psa_manifest/sid.h")
if [ "$services" -ne 10000 ]; then
    echo "sid.h has $services services, not 10000" >&2
    exit 1
fi
if [ "$large" -gt $((small * 30 + 150)) ]; then
    echo "takes too long" >&2
    exit 1
fi
