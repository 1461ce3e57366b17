# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Every rule of the table is broken by a test, by each kind of caller that can break it.
#   RULES  rules.def
#   TESTS  directory of the test sources
#
# The table tells who can: NONE, partitions alone; PANIC, the NSPE alone; else both. What is left out
# stands here with its reason, and must be left out in the tests, too.

cmake_minimum_required(VERSION 3.20)

# A partition has one thread, which is blocked while its connection has a request.
list(APPEND exceptions PSA_CALL_CONNECTION_BUSY:partition PSA_CLOSE_CONNECTION_BUSY:partition)
# A partition whose connection is dropped has panicked.
list(APPEND exceptions PSA_CALL_CONNECTION_DROPPED:partition)

file(GLOB sources "${TESTS}/*.c")
set(broken)
foreach(source IN LISTS sources)
    file(READ "${source}" text)
    string(REGEX MATCHALL "(NS_BREAKS|NS_BREAKS_AFTER|assert_rule_by_ns)\\([ \n]*[A-Z0-9_]+" uses
           "${text}")
    foreach(use IN LISTS uses)
        string(REGEX REPLACE ".*\\([ \n]*" "" rule "${use}")
        list(APPEND broken "${rule}:nspe")
    endforeach()
    string(REGEX MATCHALL "(PARTITION_BREAKS|PARTITION_BREAKS_WITH|SERVER_BREAKS|PARTITION_RULE_TEST|assert_boot_breaks)\
\\([ \n]*[A-Z0-9_]+" uses "${text}")
    foreach(use IN LISTS uses)
        string(REGEX REPLACE ".*\\([ \n]*" "" rule "${use}")
        list(APPEND broken "${rule}:partition")
    endforeach()
endforeach()
list(REMOVE_DUPLICATES broken)

file(READ "${RULES}" text)
string(REGEX MATCHALL "\nSPM_SIM_RULE_ROW\\([A-Z0-9_]+, \"[^\"]*\", [A-Z]+" rows "${text}")
list(LENGTH rows count)
if(count LESS 50)
    message(FATAL_ERROR "${RULES}: only ${count} rows were understood")
endif()

set(missing)
foreach(row IN LISTS rows)
    string(REGEX MATCH "\\(([A-Z0-9_]+), \"[^\"]*\", ([A-Z]+)" matched "${row}")
    set(rule "${CMAKE_MATCH_1}")
    set(kinds nspe partition)
    if(CMAKE_MATCH_2 STREQUAL NONE)
        set(kinds partition)
    elseif(CMAKE_MATCH_2 STREQUAL PANIC)
        set(kinds nspe)
    endif()
    foreach(kind IN LISTS kinds)
        set(case "${rule}:${kind}")
        if(case IN_LIST exceptions)
            list(REMOVE_ITEM exceptions "${case}")
            if(case IN_LIST broken)
                list(APPEND missing "${case} is tested: take it from the exceptions")
            endif()
        elseif(NOT case IN_LIST broken)
            list(APPEND missing "${case} is broken by no test")
        endif()
    endforeach()
endforeach()
foreach(case IN LISTS exceptions)
    list(APPEND missing "${case} is an exception, and no row of the table")
endforeach()

if(missing)
    list(JOIN missing "\n  " text)
    message(FATAL_ERROR "rules and tests differ:\n  ${text}")
endif()
message(STATUS "${count} rules, each broken by each kind of caller that can")
