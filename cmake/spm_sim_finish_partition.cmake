# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Gives a partition that was linked on its own its namespace in the image.
#   OBJCOPY NM      tools
#   IMAGE           the image's name
#   PARTITION       the partition's name in CMake, for messages
#   MANIFEST        its manifest, for messages
#   DIRECTORY       where spm_manifest wrote <NAME>.symbols and <NAME>.globals
#   HEADER          the manifest's generated header, which tells <NAME>
#   INPUT OUTPUT    relocatable objects

cmake_minimum_required(VERSION 3.20)

file(STRINGS "${HEADER}" model REGEX "^#define [A-Za-z0-9_]+_MODEL_(IPC|SFN) ")
if(NOT "${model}" MATCHES "^#define ([A-Za-z0-9_]+)_MODEL_(IPC|SFN) ")
    message(FATAL_ERROR "psa_add_image(${IMAGE}): '${HEADER}' does not tell the partition's name: "
                        "it was not made by the spm_manifest that belongs to this spm_sim")
endif()
set(name "${CMAKE_MATCH_1}")
set(symbols "${DIRECTORY}/${name}.symbols")
set(globals "${DIRECTORY}/${name}.globals")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message(FATAL_ERROR "psa_add_image(${IMAGE}): partition '${PARTITION}': '${command}' "
                            "failed (${result}):\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# What the manifest names must be there, or the program's link would fail with names that nobody
# wrote.
run("${NM}" -g "${INPUT}")
string(REPLACE "\n" ";" lines "${output}")
set(defined)
foreach(line IN LISTS lines)
    if(line MATCHES "^[0-9a-fA-F]+ [A-TV-Z] ([^ ]+)$")
        list(APPEND defined "${CMAKE_MATCH_1}")
    endif()
endforeach()
file(STRINGS "${symbols}" renamings)
file(STRINGS "${globals}" kept)
foreach(renaming IN LISTS renamings)
    if(renaming MATCHES "^([^ ]+) ([^ ]+)$" AND CMAKE_MATCH_2 IN_LIST kept
       AND NOT CMAKE_MATCH_1 IN_LIST defined)
        message(FATAL_ERROR "psa_add_image(${IMAGE}): '${MANIFEST}' names the function "
            "'${CMAKE_MATCH_1}', but no source of psa_add_partition(${PARTITION}) defines it "
            "(or it is static)")
    endif()
endforeach()

# In two steps: GNU and LLVM objcopy differ in which of the two they do first. Clang's
# AddressSanitizer registers the globals of the whole program once, and knows by the variable
# ___asan_globals_registered that it has: one for all partitions, or it would do so for each.
run("${OBJCOPY}" "--redefine-syms=${symbols}"
    "--redefine-syms=${CMAKE_CURRENT_LIST_DIR}/cmocka.symbols"
    "--redefine-syms=${CMAKE_CURRENT_LIST_DIR}/heap.symbols" "${INPUT}" "${OUTPUT}.tmp")
run("${OBJCOPY}" "--keep-global-symbols=${globals}"
    --keep-global-symbol=___asan_globals_registered --weaken-symbol=___asan_globals_registered
    "--rename-section" ".text=${IMAGE}__${name}__code"
    "--rename-section" ".rodata=${IMAGE}__${name}__constants"
    "--rename-section" ".data=${IMAGE}__${name}__data"
    "--rename-section" ".bss=${IMAGE}__${name}__bss" "${OUTPUT}.tmp" "${OUTPUT}")
file(REMOVE "${OUTPUT}.tmp")
