# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Checks one thing about ccc_compare.
#   CASE        which: the name of a function below, without `check_`
#   PROGRAM     ccc_compare
#   LAUNCHER    command in front of it, with | between words; may be empty
#   TASKSET GNUPLOT  programs, or -NOTFOUND
#   README      README.md
#   DIRECTORY   a directory for files

cmake_minimum_required(VERSION 3.20)

string(REPLACE "|" ";" LAUNCHER "${LAUNCHER}")
set(profile tfm-2019-ipc-l1)

# Runs ccc_compare: `status`, `output`, `errors`. Words before ARGUMENTS go in front of it.
function(run)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "BEFORE;ARGUMENTS")
    execute_process(COMMAND ${arg_BEFORE} ${LAUNCHER} "${PROGRAM}" ${arg_ARGUMENTS}
                    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    # AddressSanitizer says so in each program that switches stacks.
    string(REGEX REPLACE "==[0-9]+==WARNING: ASan doesn't fully support makecontext[^\n]*\n" ""
           errors "${errors}")
    set(status "${status}" PARENT_SCOPE)
    set(output "${output}" PARENT_SCOPE)
    set(errors "${errors}" PARENT_SCOPE)
endfunction()

function(must_run)
    run(${ARGN})
    if(NOT status EQUAL 0 OR NOT errors STREQUAL "")
        message(FATAL_ERROR "'${ARGN}' failed (${status}):\n${errors}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

function(must_fail expected_status expected)
    run(${ARGN})
    if(NOT status EQUAL expected_status OR NOT errors MATCHES "${expected}")
        message(FATAL_ERROR "'${ARGN}': expected status ${expected_status} and '${expected}', "
                            "got ${status} and:\n${errors}")
    endif()
    if(NOT output STREQUAL "" AND expected_status EQUAL 2)
        message(FATAL_ERROR "'${ARGN}' was refused, and printed:\n${output}")
    endif()
endfunction()

# The fields of a row, from `output` of --format csv, as <operation>_cycles and so on.
macro(read_row operation)
    if(NOT output MATCHES
       "\n${profile},${operation},([0-9]+),([0-9]+),([0-9]+),([0-9]+),([0-9]+),([0-9]+),([0-9]+),([0-9]*)\n")
        message(FATAL_ERROR "no row ${operation} in:\n${output}")
    endif()
    set(${operation}_cycles ${CMAKE_MATCH_1})
    set(${operation}_cycles_min ${CMAKE_MATCH_2})
    set(${operation}_cycles_max ${CMAKE_MATCH_3})
    set(${operation}_instructions ${CMAKE_MATCH_4})
    set(${operation}_svc ${CMAKE_MATCH_5})
    set(${operation}_pendsv ${CMAKE_MATCH_6})
    set(${operation}_switches ${CMAKE_MATCH_7})
    set(${operation}_published "${CMAKE_MATCH_8}")
endmacro()

# |seen - expected| is at most so many per cent of expected.
function(expect_near what seen expected percent)
    math(EXPR distance "100 * (${seen} - ${expected})")
    math(EXPR allowed "${percent} * ${expected}")
    if(distance GREATER allowed OR distance LESS -${allowed})
        message(FATAL_ERROR "${what}: ${seen} is not within ${percent} % of ${expected}")
    endif()
endfunction()

function(expect_equal what seen expected)
    if(NOT seen STREQUAL expected)
        message(FATAL_ERROR "${what}: '${seen}', expected '${expected}'")
    endif()
endfunction()

set(csv ARGUMENTS --format csv --profile ${profile})

# --- figures -------------------------------------------------------------------------------------

function(check_csv)
    must_run(${csv})
    if(NOT output MATCHES "^profile,operation,cycles,cycles_min,cycles_max,instructions,svc,pendsv,switches,published\n")
        message(FATAL_ERROR "the header is another one:\n${output}")
    endif()
    foreach(operation IN ITEMS psa_connect psa_call psa_call_typed psa_close connect_call_close
                               psa_ccc psa_ccc_typed kept_connection)
        read_row(${operation})
    endforeach()
    expect_equal("published" "${psa_connect_published},${psa_call_typed_published},${psa_close_published},${connect_call_close_published}"
                 "2133,2650,2136,6919")
    expect_equal("nothing else was published"
                 "${psa_call_published}${psa_ccc_published}${psa_ccc_typed_published}${kept_connection_published}" "")

    foreach(field IN ITEMS cycles cycles_min cycles_max instructions svc pendsv switches)
        math(EXPR sum "${psa_connect_${field}} + ${psa_call_typed_${field}} + ${psa_close_${field}}")
        expect_equal("the sum of ${field}" ${connect_call_close_${field}} ${sum})
    endforeach()
endfunction()

# Counted on the real SPM, and on it with psa_ccc built in.
function(check_instructions)
    must_run(${csv})
    foreach(figure IN ITEMS psa_connect=1259 psa_call=1450 psa_call_typed=1641 psa_close=1243
                            psa_ccc=1460 psa_ccc_typed=1653)
        string(REGEX MATCH "(.*)=(.*)" figure "${figure}")
        set(operation ${CMAKE_MATCH_1})
        set(expected ${CMAKE_MATCH_2})
        read_row(${operation})
        expect_near("instructions of ${operation}" ${${operation}_instructions} ${expected} 1)
    endforeach()
    # The exceptions, too, are those of the real SPM; a psa_read() is one more SVC.
    foreach(operation IN ITEMS psa_connect psa_call psa_close psa_ccc)
        expect_equal("${operation}" "${${operation}_svc},${${operation}_pendsv},${${operation}_switches}"
                     "4,3,2")
    endforeach()
    foreach(operation IN ITEMS psa_call_typed psa_ccc_typed)
        expect_equal("${operation}" "${${operation}_svc},${${operation}_pendsv},${${operation}_switches}"
                     "5,3,2")
    endforeach()
endfunction()

function(check_cycles)
    must_run(${csv})
    foreach(figure IN ITEMS psa_connect=4 psa_call_typed=4 psa_close=4 connect_call_close=2)
        string(REGEX MATCH "(.*)=(.*)" figure "${figure}")
        set(operation ${CMAKE_MATCH_1})
        set(percent ${CMAKE_MATCH_2})
        read_row(${operation})
        set(published ${${operation}_published})
        expect_near("cycles of ${operation}" ${${operation}_cycles} ${published} ${percent})
        if(published LESS ${operation}_cycles_min OR published GREATER ${operation}_cycles_max)
            message(FATAL_ERROR "${operation}: the bracket does not hold what was published")
        endif()
    endforeach()
    foreach(operation IN ITEMS psa_connect psa_call psa_call_typed psa_close psa_ccc psa_ccc_typed
                               kept_connection)
        read_row(${operation})
        if(NOT ${operation}_cycles_min LESS ${operation}_cycles OR
           NOT ${operation}_cycles LESS ${operation}_cycles_max)
            message(FATAL_ERROR "${operation}: the usual cycles are not inside their bracket")
        endif()
    endforeach()
endfunction()

function(check_payloads)
    must_run(${csv} --payload 0,4,64,1024)
    foreach(figure IN ITEMS 0=1450 4=1641 64=1673 1024=2213)
        string(REGEX MATCH "(.*)=(.*)" figure "${figure}")
        set(bytes ${CMAKE_MATCH_1})
        set(expected ${CMAKE_MATCH_2})
        foreach(way IN ITEMS psa_call connect_call_close psa_ccc)
            read_row(${way}_in${bytes})
        endforeach()
        expect_near("instructions of a call with ${bytes} bytes"
                    ${psa_call_in${bytes}_instructions} ${expected} 1)
        read_row(psa_connect)
        read_row(psa_close)
        math(EXPR sum
             "${psa_connect_cycles} + ${psa_call_in${bytes}_cycles} + ${psa_close_cycles}")
        expect_equal("the three calls with ${bytes} bytes" ${connect_call_close_in${bytes}_cycles}
                     ${sum})
    endforeach()
    # What a payload costs does not depend on the way.
    math(EXPR by_call "${psa_call_in1024_cycles} - ${psa_call_in64_cycles}")
    math(EXPR by_ccc "${psa_ccc_in1024_cycles} - ${psa_ccc_in64_cycles}")
    expect_equal("960 bytes more by psa_ccc" ${by_ccc} ${by_call})
endfunction()

# The table's saving is that of the rows.
function(check_saving)
    must_run(${csv})
    foreach(operation IN ITEMS psa_connect psa_call psa_close connect_call_close psa_ccc
                               psa_ccc_typed)
        read_row(${operation})
    endforeach()
    math(EXPR typed "${connect_call_close_cycles} - ${psa_ccc_typed_cycles}")
    math(EXPR all "${psa_connect_cycles} + ${psa_call_cycles} + ${psa_close_cycles}")
    math(EXPR none "${all} - ${psa_ccc_cycles}")
    must_run(ARGUMENTS --profile ${profile})
    foreach(text IN ITEMS "${typed} of ${connect_call_close_cycles} cycles"
                          "${none} of ${all} cycles" "is an inference"
                          "No step is unpriced or composed")
        if(NOT output MATCHES "${text}")
            message(FATAL_ERROR "the table does not say '${text}':\n${output}")
        endif()
    endforeach()
endfunction()

# --- forms ---------------------------------------------------------------------------------------

function(check_json)
    must_run(${csv} --payload 64)
    read_row(psa_call_typed)
    read_row(psa_ccc_in64)
    must_run(ARGUMENTS --format json --profile ${profile} --payload 64)
    string(JSON name GET "${output}" profiles 0 profile)
    expect_equal("the profile" ${name} ${profile})
    string(JSON operations LENGTH "${output}" profiles 0 operations)
    expect_equal("operations" ${operations} 8)
    string(JSON name GET "${output}" profiles 0 operations 2 operation)
    expect_equal("the third operation" ${name} psa_call_typed)
    foreach(field IN ITEMS cycles cycles_min cycles_max instructions svc pendsv switches published)
        string(JSON value GET "${output}" profiles 0 operations 2 ${field})
        expect_equal("${field} of the third operation" ${value} ${psa_call_typed_${field}})
    endforeach()
    string(JSON type TYPE "${output}" profiles 0 operations 1 published)
    expect_equal("what was published for psa_call" ${type} NULL)
    string(JSON value GET "${output}" profiles 0 payloads 2 cycles)
    expect_equal("cycles of psa_ccc with 64 bytes" ${value} ${psa_ccc_in64_cycles})
endfunction()

function(check_same_bytes)
    foreach(format IN ITEMS table csv json)
        set(arguments ARGUMENTS --format ${format} --payload 0,64,4096)
        must_run(${arguments})
        set(first "${output}")
        must_run(${arguments})
        expect_equal("the second run" "${output}" "${first}")
        if(TASKSET)
            must_run(BEFORE "${TASKSET}" -c 0 ${arguments})
            expect_equal("the run on one processor" "${output}" "${first}")
        endif()
        must_run(BEFORE "${CMAKE_COMMAND}" -E env SPM_SIM_SEED=77 ${arguments})
        expect_equal("the run with other handles" "${output}" "${first}")
        must_run(BEFORE "${CMAKE_COMMAND}" -E env SPM_SIM_CONTEXTS=fibers ${arguments})
        expect_equal("the run with fibers" "${output}" "${first}")
    endforeach()
endfunction()

function(check_trace)
    must_run(ARGUMENTS --trace "${DIRECTORY}/first.txt")
    must_run(ARGUMENTS --trace "${DIRECTORY}/second.txt" --payload 4)
    must_run(BEFORE "${CMAKE_COMMAND}" -E env "SPM_SIM_TRACE=${DIRECTORY}/third.txt")
    file(READ "${DIRECTORY}/first.txt" first)
    if(NOT first MATCHES "psa_ccc\\(" OR NOT first MATCHES "psa_reply\\(")
        message(FATAL_ERROR "the trace does not show the calls:\n${first}")
    endif()
    foreach(name IN ITEMS second third)
        file(READ "${DIRECTORY}/${name}.txt" other)
        expect_equal("the ${name} trace" "${other}" "${first}")
    endforeach()
endfunction()

function(check_profiles)
    must_run(ARGUMENTS --format csv)
    if(NOT output MATCHES "\n${profile},psa_connect,")
        message(FATAL_ERROR "without --profile not all profiles are there:\n${output}")
    endif()
    must_run(${csv})
    set(one "${output}")
    must_run(${csv} --profile ${profile})
    expect_equal("a profile named twice" "${output}" "${one}")
    must_run(BEFORE "${CMAKE_COMMAND}" -E env SPM_SIM_PROFILE=${profile} ARGUMENTS --format csv)
    expect_equal("a profile from the environment" "${output}" "${one}")
endfunction()

# README.md shows the table as it is.
function(check_readme)
    must_run(ARGUMENTS --profile ${profile})
    file(READ "${README}" readme)
    string(FIND "${readme}" "${output}" position)
    if(position EQUAL -1)
        message(FATAL_ERROR "${README} does not show what ccc_compare prints:\n${output}")
    endif()
endfunction()

# --- the command line ----------------------------------------------------------------------------

function(check_options)
    must_fail(2 "--format: 'xml' is none; known: table, csv, json" ARGUMENTS --format xml)
    must_fail(2 "--profile: 'tfm-1999' is unknown; known: .*${profile}" ARGUMENTS --profile tfm-1999)
    must_fail(2 "SPM_SIM_PROFILE: 'tfm-1999' is unknown; known: .*${profile}"
              BEFORE "${CMAKE_COMMAND}" -E env SPM_SIM_PROFILE=tfm-1999)
    foreach(list IN ITEMS "" x 4,x -1 4, 65537 4x " 4" 99999999999999999999999)
        must_fail(2 "--payload: '${list}' is no list of sizes from 0 to 65536"
                  ARGUMENTS "--payload=${list}")
    endforeach()
    must_fail(2 "--payload: more than 32 sizes" ARGUMENTS
              --payload 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32)
    must_fail(2 "'left' is no option; --help lists them" ARGUMENTS left)
    must_fail(2 "unrecognized option '--nonsense'.*--help lists" ARGUMENTS --nonsense)
    must_fail(2 "requires an argument" ARGUMENTS --plot)
    must_fail(1 "SPM_SIM_NONSENSE is no option" BEFORE "${CMAKE_COMMAND}" -E env SPM_SIM_NONSENSE=1)
endfunction()

function(check_help)
    must_run(ARGUMENTS --help)
    foreach(option IN ITEMS format profile payload plot trace help)
        if(NOT output MATCHES "  --${option} ")
            message(FATAL_ERROR "--help does not tell of --${option}")
        endif()
    endforeach()
    if(NOT output MATCHES "profiles: .*${profile}")
        message(FATAL_ERROR "--help does not tell the profiles")
    endif()
endfunction()

# --- the picture ---------------------------------------------------------------------------------

function(check_plot)
    if(NOT GNUPLOT)
        message("no gnuplot here: nothing to check")
        return()
    endif()
    # A name that gnuplot's quotes would trip over.
    set(file "${DIRECTORY}/it's a picture.svg")
    must_run(ARGUMENTS --plot "${file}")
    file(READ "${file}" first)
    foreach(text IN ITEMS "<svg" "</svg>" "psa_connect" "psa_ccc" "6919" "${profile}")
        if(NOT first MATCHES "${text}")
            message(FATAL_ERROR "the picture has no '${text}'")
        endif()
    endforeach()
    must_run(ARGUMENTS --plot "${file}" --payload 0,1024,4096)
    file(READ "${file}" second)
    if(NOT second MATCHES "bytes of input")
        message(FATAL_ERROR "the picture does not show the payloads")
    endif()
    must_run(ARGUMENTS --plot "${file}")
    file(READ "${file}" third)
    expect_equal("the same picture again" "${third}" "${first}")
    file(GLOB left "${DIRECTORY}/*.tmp")
    expect_equal("left behind" "${left}" "")
endfunction()

# An older picture stays as it is.
function(check_no_gnuplot)
    file(WRITE "${DIRECTORY}/old.svg" "old")
    if(NOT LAUNCHER)
        must_fail(1 "--plot needs gnuplot, which is not installed"
                  BEFORE "${CMAKE_COMMAND}" -E env "PATH=${DIRECTORY}"
                  ARGUMENTS --plot "${DIRECTORY}/old.svg")
    endif()
    if(UNIX)
        file(WRITE "${DIRECTORY}/gnuplot" "#!/bin/sh\nexit 3\n")
        file(CHMOD "${DIRECTORY}/gnuplot" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
        must_fail(1 "--plot: gnuplot failed"
                  BEFORE "${CMAKE_COMMAND}" -E env "PATH=${DIRECTORY}:$ENV{PATH}"
                  ARGUMENTS --plot "${DIRECTORY}/old.svg")
    endif()
    file(READ "${DIRECTORY}/old.svg" old)
    expect_equal("the older picture" "${old}" "old")
    file(GLOB left "${DIRECTORY}/*.tmp")
    expect_equal("left behind" "${left}" "")
endfunction()

function(check_unwritable)
    must_fail(1 "--plot: cannot write '${DIRECTORY}/absent/p.svg'"
              ARGUMENTS --plot "${DIRECTORY}/absent/p.svg")
    must_fail(1 "cannot write the file '${DIRECTORY}/absent/t.txt'"
              ARGUMENTS --trace "${DIRECTORY}/absent/t.txt")
    if(EXISTS /dev/full)
        execute_process(COMMAND ${LAUNCHER} "${PROGRAM}" OUTPUT_FILE /dev/full
                        RESULT_VARIABLE status ERROR_VARIABLE errors)
        if(NOT status EQUAL 1 OR NOT errors MATCHES "cannot write the result")
            message(FATAL_ERROR "a full disk: status ${status} and:\n${errors}")
        endif()
    endif()
endfunction()

file(REMOVE_RECURSE "${DIRECTORY}")
file(MAKE_DIRECTORY "${DIRECTORY}")
cmake_language(CALL check_${CASE})
