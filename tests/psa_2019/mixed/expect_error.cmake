# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Compiles a file that includes both forms and checks what the compiler says.
#   COMPILER FILE INCLUDE   compiler, source file, the directory of the public headers
#   MESSAGE                 what must be said

cmake_minimum_required(VERSION 3.20)

execute_process(COMMAND "${COMPILER}" -fsyntax-only "-I${INCLUDE}" "-I${INCLUDE}/psa_2019" "${FILE}"
                RESULT_VARIABLE result OUTPUT_VARIABLE error ERROR_VARIABLE error)
string(FIND "${error}" "${MESSAGE}" position)
if(result EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "expected the error '${MESSAGE}', got status ${result} and:\n${error}")
endif()
