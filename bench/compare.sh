#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Sets the host times of builds side by side:
#     bench/compare.sh BUILD [BUILD]
# Each build's ipc_bench runs REPEAT times (5), the builds in turn, so that what else the machine
# does meets all alike; the least time of each bench counts. With one build, each time is shown
# in round trips of the bare hand-over of the same kind, in the same runs; with two, the second
# stands against the first.

set -eu

fail() {
    echo "compare.sh: $1" >&2
    exit 1
}

[ $# -eq 1 ] || [ $# -eq 2 ] || fail "usage: bench/compare.sh BUILD [BUILD]"
for build in "$@"; do
    [ -x "$build/bench/ipc_bench" ] ||
        fail "$build/bench/ipc_bench is not there; configure $build with -DSPM_SIM_BENCH=ON, and build it"
done

results=$(mktemp)
trap 'rm -f "$results"' EXIT
for _ in $(seq "${REPEAT:-5}"); do
    number=0
    for build in "$@"; do
        number=$((number + 1))
        "$build/bench/ipc_bench" --benchmark_format=json --benchmark_min_time=0.1 2>/dev/null |
            sed -n "s/^ *\"\(name\|host_ns\)\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/$number \1 \2/p" \
                >>"$results"
    done
done

awk -v builds=$# '
    function round_trips(time, bare) { return bare > 0 ? sprintf("%.1f", time / bare) : "-" }
    $2 == "name" {
        name = $3
        sub(/\/iterations:[0-9]+/, "", name)
        sub(/\/manual_time/, "", name)
        next
    }
    {
        if (!(name in seen)) { seen[name] = 1; names[++count] = name }
        if (!(($1, name) in least) || $3 + 0 < least[$1, name]) least[$1, name] = $3 + 0
    }
    END {
        if (count == 0) { print "compare.sh: ipc_bench gave no host times" >"/dev/stderr"; exit 1 }
        printf "%-40s %12s %12s\n", "bench", builds == 2 ? "first ns" : "ns", \
               builds == 2 ? "second ns" : "round trips"
        for (i = 1; i <= count; i++) {
            name = names[i]
            kind = name
            sub(/.*\//, "", kind)
            if (builds == 2)
                printf "%-40s %12.1f %12.1f  x%.2f\n", name, least[1, name], least[2, name], \
                       least[2, name] / least[1, name]
            else
                printf "%-40s %12.1f %12s\n", name, least[1, name], \
                       round_trips(least[1, name], least[1, "bare_handover/" kind])
        }
    }' "$results"
