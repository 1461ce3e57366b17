# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Fails when the file KEPT differs from the file MADE, and says how to mend it.

execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${MADE}" "${KEPT}"
                RESULT_VARIABLE differ OUTPUT_QUIET ERROR_QUIET)
if(differ)
    execute_process(COMMAND diff "${KEPT}" "${MADE}")
    message(FATAL_ERROR "${KEPT} is not what the tables and tests say: build the target update_docs, "
                        "and commit the file")
endif()
