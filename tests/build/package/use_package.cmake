# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Installs this build into a tree of its own, moves the tree, and builds and runs the project beside
# this file against it.
#   BUILD      the build tree of spm_sim
#   BINARY     a directory for everything that is made
#   CONFIG     build type
#   GENERATOR COMPILER  as for spm_sim

cmake_minimum_required(VERSION 3.20)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    set(output "${output}" PARENT_SCOPE)
    set(result "${result}" PARENT_SCOPE)
endfunction()

function(must_run)
    run(${ARGN})
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "'${ARGN}' failed (${result}):\n${output}")
    endif()
endfunction()

file(REMOVE_RECURSE "${BINARY}")
must_run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${BINARY}/installed" --config "${CONFIG}")
file(RENAME "${BINARY}/installed" "${BINARY}/moved")

file(GLOB_RECURSE pc "${BINARY}/moved/*/spm_sim.pc")
get_filename_component(pc "${pc}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${pc}")
must_run(${CMAKE_COMMAND} -G "${GENERATOR}" "-DCMAKE_C_COMPILER=${COMPILER}"
         "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_PREFIX_PATH=${BINARY}/moved"
         -S "${CMAKE_CURRENT_LIST_DIR}" -B "${BINARY}/build")
must_run(${CMAKE_COMMAND} --build "${BINARY}/build")
must_run("${BINARY}/build/package_user")
must_run("${BINARY}/build/package_user_2019")
must_run("${BINARY}/build/pkg_config_user")

run(${CMAKE_COMMAND} --build "${BINARY}/build" --target headless_image)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
set(expected "names the function 'headless_main', but no source of psa_add_partition(headless)")
string(FIND "${output}" "${expected}" position)
if(result EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "expected the error '${expected}', got status ${result} and:\n${output}")
endif()
