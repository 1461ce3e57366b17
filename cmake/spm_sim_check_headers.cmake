# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Run after spm_manifest: the partitions that it made are those that psa_add_image() builds.
#   CALL        the call, for messages
#   DIRECTORY   the image's directory
#   BASES       base names of the manifests that are built, with commas between

cmake_minimum_required(VERSION 3.20)

string(REPLACE "," ";" expected "${BASES}")
file(GLOB made RELATIVE "${DIRECTORY}/psa_manifest" "${DIRECTORY}/psa_manifest/*.h")
list(REMOVE_ITEM made sid.h pid.h)
list(TRANSFORM made REPLACE "\\.h$" "")

foreach(base IN LISTS made)
    if(NOT base IN_LIST expected)
        message(FATAL_ERROR "${CALL}: the manifest list lets in '${base}', which CMake did not see "
            "in it: write each 'manifest' and 'conditional' on a line of its own, the condition "
            "after its manifest, and declare the partition with psa_add_partition()")
    endif()
endforeach()
foreach(base IN LISTS expected)
    if(NOT base IN_LIST made)
        message(FATAL_ERROR "${CALL}: spm_manifest made no psa_manifest/${base}.h: a condition of "
            "the manifest list leaves that partition out. Give the condition's value with CONFIG")
    endif()
endforeach()
