# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Configures the project of mistakes and checks that it fails with a message.
#   CASE MESSAGE   the mistake, and what must be said of it: plain text
#   BINARY         a directory for the build tree
#   SPM_SIM_CMAKE  where spm_sim_images.cmake is
#   GENERATOR      as for spm_sim

cmake_minimum_required(VERSION 3.20)

file(REMOVE_RECURSE "${BINARY}")
execute_process(COMMAND ${CMAKE_COMMAND} -G "${GENERATOR}" "-DCASE=${CASE}"
                        "-DSPM_SIM_CMAKE=${SPM_SIM_CMAKE}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${BINARY}"
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE error)
string(REGEX REPLACE "[ \n]+" " " error "${error}")
string(FIND "${error}" "${MESSAGE}" position)
if(result EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "expected the error '${MESSAGE}', got status ${result} and '${error}'")
endif()
