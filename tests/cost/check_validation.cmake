# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# The validation table in the documents is what spm_cost compare says.
#   SPM_COST   the program
#   TABLE      docs/cycle-model-validation.md

execute_process(COMMAND "${SPM_COST}" compare --format markdown OUTPUT_VARIABLE now
                RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "spm_cost compare: status ${status}")
endif()
file(READ "${TABLE}" table)
string(FIND "${table}" "| profile |" begin)
string(SUBSTRING "${table}" ${begin} -1 table)
if(NOT table STREQUAL now)
    message(FATAL_ERROR "${TABLE} is out of date; replace its table by the output of "
                        "'spm_cost compare --format markdown'")
endif()
