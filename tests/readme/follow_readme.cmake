# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Does what README.md tells a reader to do, and compares with what it says comes of it. A fenced
# block is found by the comment before it: `<!-- hello/main.c -->`.
#   README      the file
#   BUILD       a build tree, in place of the reader's `build`
#   NINJA       the program, if it is what builds there
#   DIRECTORY   where the reader works; also their home
#   COMPILER    the C compiler

cmake_minimum_required(VERSION 3.20)

file(READ "${README}" readme)

function(get_block name variable)
    set(mark "\n<!-- ${name} -->\n```")
    string(FIND "${readme}" "${mark}" start)
    if(start EQUAL -1)
        message(FATAL_ERROR "${README} has no block after <!-- ${name} -->")
    endif()
    string(SUBSTRING "${readme}" ${start} -1 text)
    string(LENGTH "${mark}" length)
    string(SUBSTRING "${text}" ${length} -1 text)
    string(FIND "${text}" "\n" start) # the block's language
    math(EXPR start "${start} + 1")
    string(FIND "${text}" "\n```\n" end)
    math(EXPR length "${end} + 1 - ${start}")
    string(SUBSTRING "${text}" ${start} ${length} text)
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

function(expect_equal what seen expected)
    if(NOT seen STREQUAL expected)
        message(FATAL_ERROR "${what}\nprinted:\n${seen}\nREADME.md says:\n${expected}")
    endif()
endfunction()

# Runs a script of the shell as the reader would: `status`, `output`, `errors`.
function(run script)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env "HOME=${DIRECTORY}" "CC=${COMPILER}"
                            sh -e -c "${script}"
                    WORKING_DIRECTORY "${DIRECTORY}"
                    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
    set(status "${status}" PARENT_SCOPE)
    set(output "${output}" PARENT_SCOPE)
    set(errors "${errors}" PARENT_SCOPE)
endfunction()

function(must_run script)
    run("${script}")
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "'${script}' failed (${status}):\n${output}${errors}")
    endif()
    set(output "${output}" PARENT_SCOPE)
    set(errors "${errors}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${DIRECTORY}")
file(MAKE_DIRECTORY "${DIRECTORY}")
file(CREATE_LINK "${BUILD}" "${DIRECTORY}/build" SYMBOLIC)

# The files as printed, under fifty lines of code and manifest.
set(lines 0)
foreach(name IN ITEMS hello.yaml hello.c main.c CMakeLists.txt)
    get_block("hello/${name}" text)
    file(WRITE "${DIRECTORY}/hello/${name}" "${text}")
    if(NOT name STREQUAL "CMakeLists.txt")
        string(REGEX REPLACE "[^\n]" "" newlines "${text}")
        string(LENGTH "${newlines}" count)
        math(EXPR lines "${lines} + ${count}")
    endif()
endforeach()
if(NOT lines LESS 50)
    message(FATAL_ERROR "the first partition has grown to ${lines} lines; promised are under fifty")
endif()

# The reader installs from what ./demo has built, and that is less than what BUILD holds.
if(NINJA)
    get_filename_component(root "${README}" DIRECTORY)
    file(READ "${root}/demo" demo)
    if(NOT demo MATCHES "--target ([^;]+);")
        message(FATAL_ERROR "./demo names no targets")
    endif()
    separate_arguments(targets UNIX_COMMAND "${CMAKE_MATCH_1}")
    execute_process(COMMAND "${NINJA}" -C "${BUILD}" -t commands ${targets}
                    RESULT_VARIABLE status OUTPUT_VARIABLE built ERROR_VARIABLE errors)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "ninja does not know ${targets}: ${errors}")
    endif()
    file(READ "${BUILD}/cmake_install.cmake" script)
    string(REGEX MATCHALL "\"${BUILD}/(lib|tools)/[^\"]+\"" files "${script}")
    list(REMOVE_DUPLICATES files)
    list(FILTER files EXCLUDE REGEX "/cmake_install.cmake\"$")
    list(LENGTH files count)
    if(count LESS 3)
        message(FATAL_ERROR "what is installed of the build: ${files}")
    endif()
    foreach(file IN LISTS files)
        string(REGEX REPLACE "^\"${BUILD}/(.*)\"$" "\\1" file "${file}")
        string(FIND "${built}" " ${file} " position)
        if(position EQUAL -1)
            message(FATAL_ERROR "./demo does not build ${file}, which is installed")
        endif()
    endforeach()
endif()

# The commands as printed; the last one is the program.
get_block(commands commands)
get_block(prints prints)
must_run("${commands}")
string(FIND "${output}" "${prints}" position REVERSE)
string(LENGTH "${output}" all)
string(LENGTH "${prints}" length)
math(EXPR expected "${all} - ${length}")
if(NOT position EQUAL expected)
    message(FATAL_ERROR "'${commands}' printed:\n${output}\nREADME.md says, at its end:\n${prints}")
endif()

get_block(trace trace)
must_run("SPM_SIM_TRACE=- hello/build/hello")
expect_equal("the trace" "${errors}" "${trace}")

# The mistake that the README makes. Addresses differ from one machine to the next.
file(READ "${DIRECTORY}/hello/hello.c" good)
string(REPLACE "psa_write(msg.handle, 0, \"hello\", 5)" "psa_write(msg.handle, 4, \"hello\", 5)"
       bad "${good}")
if(bad STREQUAL good)
    message(FATAL_ERROR "hello.c has no psa_write to make wrong")
endif()
file(WRITE "${DIRECTORY}/hello/hello.c" "${bad}")
must_run("cmake --build hello/build")
run("hello/build/hello")
if(NOT status EQUAL 1)
    message(FATAL_ERROR "the wrong hello ended with status ${status}")
endif()
get_block(record record)
string(REGEX REPLACE "(hello/build/hello)( 0x[0-9a-f]+)+" "\\1 ..." output "${output}")
expect_equal("the record" "${output}" "${record}")

# The table of options is complete: a wrong variable is answered with a list of all of them.
run("SPM_SIM_NONSENSE=1 hello/build/hello")
string(REGEX MATCHALL "SPM_SIM_[A-Z_]+" variables "${output}")
list(REMOVE_ITEM variables SPM_SIM_NONSENSE)
list(LENGTH variables count)
if(count LESS 10)
    message(FATAL_ERROR "no list of the options:\n${output}")
endif()
foreach(variable IN LISTS variables)
    if(NOT readme MATCHES "\n\\| `${variable}` \\|")
        message(FATAL_ERROR "README.md's table of options does not have ${variable}")
    endif()
endforeach()
string(REGEX MATCHALL "\n\\| `SPM_SIM_[A-Z_]+`" rows "${readme}")
list(LENGTH rows listed)
if(NOT listed EQUAL count)
    message(FATAL_ERROR "README.md's table has ${listed} options, the library ${count}")
endif()

# Files that the README points to exist.
get_filename_component(root "${README}" DIRECTORY)
string(REPLACE "](" "@(" marked "${readme}") # a bracket alone would join a list's elements
string(REGEX MATCHALL "@\\([^):]+\\)" links "${marked}")
list(TRANSFORM links REPLACE "^@\\((.*)\\)$" "\\1")
if(NOT links)
    message(FATAL_ERROR "README.md points to no file")
endif()
foreach(link IN LISTS links)
    if(NOT EXISTS "${root}/${link}")
        message(FATAL_ERROR "README.md points to '${link}', which does not exist")
    endif()
endforeach()
