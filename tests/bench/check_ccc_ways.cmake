# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# ccc_compare --ways: its rows agree with each other and with those of ccc_compare alone.
#   PROGRAM   ccc_compare
#   LAUNCHER  command in front of it, with | between words; may be empty

cmake_minimum_required(VERSION 3.20)

string(REPLACE "|" ";" LAUNCHER "${LAUNCHER}")

macro(run)
    execute_process(COMMAND ${LAUNCHER} "${PROGRAM}" ${ARGN}
                    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
endmacro()

macro(must_run)
    run(${ARGN})
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "'${ARGN}' failed (${status}):\n${errors}")
    endif()
endmacro()

function(must_refuse option)
    run(${ARGN})
    if(NOT status EQUAL 2 OR NOT errors MATCHES "--ways does not go with ${option}")
        message(FATAL_ERROR "'${ARGN}' was not refused (${status}):\n${errors}")
    endif()
endfunction()

function(expect what seen expected)
    if(NOT seen STREQUAL expected)
        message(FATAL_ERROR "${what}: '${seen}', expected '${expected}'")
    endif()
endfunction()

# row_*: the fields of a row of `table`.
macro(read_way profile scene way)
    string(REGEX MATCH "\n${profile},${scene},${way},[^\n]*" row "${table}")
    string(REPLACE "," ";" row "${row}")
    list(LENGTH row fields)
    if(NOT fields EQUAL 16)
        message(FATAL_ERROR "no row ${profile},${scene},${way} of 16 fields in:\n${table}")
    endif()
    list(GET row 3 row_cycles)
    list(SUBLIST row 3 7 row_figures) # as the other table has them: cycles to switches
    list(JOIN row_figures "," row_figures)
    list(GET row 10 row_handles)
    list(GET row 12 row_saved)
    list(GET row 13 row_per_mille)
    string(REPLACE "." "" row_per_mille "${row_per_mille}")
endmacro()

must_run(--format csv)
set(calls "${output}")
must_run(--ways --format csv)
set(table "${output}")
if(NOT table MATCHES "^profile,scene,way,cycles,cycles_min,cycles_max,instructions,svc,pendsv,switches,handles,pool,saved,saved_percent,unpriced,composed\n")
    message(FATAL_ERROR "the header is another one:\n${table}")
endif()

set(ipc tfm-2019-ipc-l1 tfm-2026-ipc-l1 tfm-2026-ipc-l2 tfm-2026-ipc-l3)
foreach(profile IN LISTS ipc ITEMS tfm-2026-sfn-l1)
    # One client alone is what the other table has, in a system of other partitions.
    foreach(pair IN ITEMS connect_call_close=connect_call_close psa_ccc=psa_ccc_typed
                          kept_connection=kept_connection)
        string(REGEX MATCH "(.*)=(.*)" pair "${pair}")
        set(operation ${CMAKE_MATCH_2})
        read_way(${profile} alone ${CMAKE_MATCH_1})
        if(NOT calls MATCHES "\n${profile},${operation},${row_figures},")
            message(FATAL_ERROR "${profile}: ${operation} is not ${row_figures}:\n${calls}")
        endif()
    endforeach()
    foreach(scene IN ITEMS alone others_open nested two_clients)
        read_way(${profile} ${scene} connect_call_close)
        set(three ${row_cycles})
        expect("${scene}: saved by the three calls" ${row_saved} 0)
        foreach(way IN ITEMS psa_ccc kept_connection)
            read_way(${profile} ${scene} ${way})
            math(EXPR difference "${three} - ${row_cycles}")
            expect("${profile}, ${scene}: saved by ${way}" ${row_saved} ${difference})
            math(EXPR per_mille "(10000 * ${difference} / ${three} + 5) / 10")
            expect("${profile}, ${scene}: saved by ${way}, per mille" ${row_per_mille}
                   ${per_mille})
            if(difference LESS_EQUAL 0)
                message(FATAL_ERROR "${profile}, ${scene}: ${way} saves nothing")
            endif()
        endforeach()
    endforeach()
    # A kept connection holds a handle, of each client and each service that is a client.
    foreach(scene IN ITEMS alone=1 others_open=1 nested=2 two_clients=2)
        string(REGEX MATCH "(.*)=(.*)" scene "${scene}")
        set(handles ${CMAKE_MATCH_2})
        set(scene ${CMAKE_MATCH_1})
        read_way(${profile} ${scene} kept_connection)
        expect("${profile}, ${scene}: handles kept" ${row_handles} ${handles})
        foreach(way IN ITEMS connect_call_close psa_ccc)
            read_way(${profile} ${scene} ${way})
            expect("${profile}, ${scene}: handles kept by ${way}" ${row_handles} 0)
        endforeach()
    endforeach()
endforeach()

# A stateless service needs FF-M 1.1.
if(table MATCHES "\ntfm-2019-ipc-l1,[a-z_]*,stateless,")
    message(FATAL_ERROR "a stateless call on the SPM of 2019")
endif()
foreach(profile IN ITEMS tfm-2026-ipc-l1 tfm-2026-ipc-l2 tfm-2026-ipc-l3 tfm-2026-sfn-l1)
    foreach(scene IN ITEMS alone others_open nested two_clients)
        read_way(${profile} ${scene} stateless)
        expect("${profile}, ${scene}: handles kept by a stateless call" ${row_handles} 0)
    endforeach()
endforeach()

# The SPM of 2019 walks the open connections, that of 2026 does not.
foreach(profile IN LISTS ipc)
    read_way(${profile} alone kept_connection)
    set(alone ${row_cycles})
    read_way(${profile} others_open kept_connection)
    if(profile MATCHES "2019" AND NOT row_cycles GREATER alone)
        message(FATAL_ERROR "${profile}: open connections cost nothing")
    elseif(NOT profile MATCHES "2019")
        expect("${profile}: with others open" ${row_cycles} ${alone})
    endif()
endforeach()

must_run(--ways --profile tfm-2026-ipc-l1)
foreach(text IN ITEMS "of 8 that may be open at once" "composed in part" "unpriced in part"
                      "alone +stateless +3704 ")
    if(NOT output MATCHES "${text}")
        message(FATAL_ERROR "the table does not say '${text}':\n${output}")
    endif()
endforeach()

must_refuse(--payload --ways --payload 4)
must_refuse(--plot --ways --plot p.svg)
must_refuse(--trace --ways --trace t.txt)
must_refuse("--format json" --ways --format json)
