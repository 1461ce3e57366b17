# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Partitions and images, for this project and for those that use it by find_package(spm_sim).
#
#   psa_add_partition(<partition> MANIFEST <file> SOURCES <file>...
#                     [LIBRARIES <library>...] [INCLUDE_DIRECTORIES <directory>...]
#                     [COMPILE_DEFINITIONS <definition>...] [COMPILE_OPTIONS <option>...])
#
# Declares a secure partition; builds nothing. LIBRARIES are static, interface or object library
# targets, or paths of archives: they become private to the partition, with the static libraries
# that they need. Paths are relative to the directory of the call.
#
#   psa_add_image(<image> PARTITIONS <partition>... | MANIFEST_LIST <file>
#                 [ISOLATION_LEVEL 1|2|3] [BACKEND ipc|sfn] [CONFIG <NAME>=<value>...])
#
# Builds a system of partitions as the static library target <image>: link it to a test, which
# gets the simulator and the headers psa_manifest/sid.h and psa_manifest/pid.h with it, and
# declares `extern const struct spm_sim_image <image>;`. With MANIFEST_LIST the partitions are
# those whose manifests the list names; each must have been declared. CONFIG gives values to the
# names that a manifest or a list mentions.
#
#   psa_add_ns_app(<app> SOURCES <file>... [LIBRARIES <library>...]
#                  [INCLUDE_DIRECTORIES <directory>...] [COMPILE_DEFINITIONS <definition>...]
#                  [COMPILE_OPTIONS <option>...])
#
# The non-secure application as a library target <app>, whose variables a reset brings back as it
# does those of partitions; a test's own variables stay. One in a program. Its names are the
# program's; LIBRARIES are linked to it as to any library, and keep their variables.
#
# How: partition IDs, static handles and signals belong to the system, so spm_manifest runs for
# each image, and each partition is compiled for each image. Its objects and private libraries are
# linked into one relocatable object, as on the board where each partition is a whole of its own;
# then its symbols are made local, but for the functions that the manifest names, and those get a
# name that no other partition or image has. Its data go into sections of their own. So two
# partitions may use the same names, one partition may be in two images, and a partition may carry
# a library that its test links, too.

include_guard(GLOBAL)

set(SPM_SIM_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "where spm_sim's CMake files are")

function(psa_add_partition partition)
    set(call "psa_add_partition(${partition})")
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "MANIFEST"
        "SOURCES;LIBRARIES;INCLUDE_DIRECTORIES;COMPILE_DEFINITIONS;COMPILE_OPTIONS")
    _spm_sim_check_arguments("${call}" "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
    if(NOT partition MATCHES "^[A-Za-z_][A-Za-z0-9_.+-]*$")
        message(FATAL_ERROR "${call}: '${partition}' is no name for a partition: use letters, "
                            "digits, _ . + -, and no digit at the start")
    endif()
    foreach(needed IN ITEMS MANIFEST SOURCES)
        if(NOT arg_${needed})
            message(FATAL_ERROR "${call}: ${needed} is missing")
        endif()
    endforeach()

    _spm_sim_files("${call}" MANIFEST arg_MANIFEST)
    _spm_sim_files("${call}" SOURCES arg_SOURCES)
    _spm_sim_absolute(arg_INCLUDE_DIRECTORIES)
    _spm_sim_check_unique_partition("${call}" "${partition}" "${arg_MANIFEST}")

    set_property(GLOBAL APPEND PROPERTY SPM_SIM_PARTITIONS "${partition}")
    foreach(key IN ITEMS MANIFEST SOURCES LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS
                         COMPILE_OPTIONS)
        set_property(GLOBAL PROPERTY "SPM_SIM_PARTITION_${partition}_${key}" "${arg_${key}}")
    endforeach()
endfunction()

function(psa_add_image image)
    set(call "psa_add_image(${image})")
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "MANIFEST_LIST;ISOLATION_LEVEL;BACKEND"
                          "PARTITIONS;CONFIG")
    _spm_sim_check_arguments("${call}" "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
    if(NOT image MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${call}: '${image}' becomes a name in C: use letters, digits and _, "
                            "and no digit at the start")
    endif()
    if(TARGET ${image})
        message(FATAL_ERROR "${call}: there is a target '${image}' already")
    endif()
    _spm_sim_choice("${call}" ISOLATION_LEVEL arg_ISOLATION_LEVEL 1 2 3)
    _spm_sim_choice("${call}" BACKEND arg_BACKEND ipc sfn)
    foreach(config IN LISTS arg_CONFIG)
        if(NOT config MATCHES "^[A-Za-z_][A-Za-z0-9_]*=")
            message(FATAL_ERROR "${call}: CONFIG takes NAME=VALUE, not '${config}'")
        endif()
    endforeach()
    if((arg_PARTITIONS AND arg_MANIFEST_LIST) OR NOT (arg_PARTITIONS OR arg_MANIFEST_LIST))
        message(FATAL_ERROR "${call}: give either PARTITIONS or MANIFEST_LIST")
    endif()

    if(arg_MANIFEST_LIST)
        _spm_sim_files("${call}" MANIFEST_LIST arg_MANIFEST_LIST)
        _spm_sim_partitions_of_list("${call}" "${arg_MANIFEST_LIST}" "${arg_CONFIG}" arg_PARTITIONS)
    endif()
    _spm_sim_check_partitions("${call}" "${arg_PARTITIONS}")
    foreach(tool IN ITEMS C_COMPILER OBJCOPY NM)
        if(NOT CMAKE_${tool})
            message(FATAL_ERROR "${call}: CMAKE_${tool} is not set: partitions are built with C and "
                                "GNU binutils; enable the language C, install binutils")
        endif()
    endforeach()

    set(directory "${CMAKE_CURRENT_BINARY_DIR}/${image}.image")
    _spm_sim_compile_manifests("${image}" "${directory}" "${arg_PARTITIONS}" "${arg_MANIFEST_LIST}"
                               "${arg_ISOLATION_LEVEL}" "${arg_BACKEND}" "${arg_CONFIG}")
    set(objects)
    set(system_libraries)
    foreach(partition IN LISTS arg_PARTITIONS)
        _spm_sim_build_partition("${call}" "${image}" "${directory}" "${partition}"
                                 "${arg_ISOLATION_LEVEL}" object libraries)
        list(APPEND objects "${object}")
        list(APPEND system_libraries ${libraries})
    endforeach()

    set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    add_library(${image} STATIC "${directory}/${image}.c" ${objects})
    set_target_properties(${image} PROPERTIES LINKER_LANGUAGE C POSITION_INDEPENDENT_CODE OFF
                                              C_STANDARD 11)
    add_dependencies(${image} ${image}_manifests)
    target_compile_options(${image} PUBLIC -fno-pie)
    target_include_directories(${image} BEFORE INTERFACE "${directory}")
    target_link_libraries(${image} PUBLIC spm_sim::spm_sim ${system_libraries})
    target_link_options(${image} INTERFACE
                        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    # The level reaches those who link the image. One who links two images sees the higher level,
    # once, rather than two definitions of one macro.
    set_target_properties(${image} PROPERTIES
        INTERFACE_SPM_SIM_ISOLATION_LEVEL ${arg_ISOLATION_LEVEL}
        COMPATIBLE_INTERFACE_NUMBER_MAX SPM_SIM_ISOLATION_LEVEL)
    target_compile_definitions(${image} INTERFACE
        PSA_FRAMEWORK_ISOLATION_LEVEL=$<TARGET_PROPERTY:SPM_SIM_ISOLATION_LEVEL>)
endfunction()

function(psa_add_ns_app app)
    set(call "psa_add_ns_app(${app})")
    cmake_parse_arguments(PARSE_ARGV 1 arg "" ""
        "SOURCES;LIBRARIES;INCLUDE_DIRECTORIES;COMPILE_DEFINITIONS;COMPILE_OPTIONS")
    _spm_sim_check_arguments("${call}" "${arg_UNPARSED_ARGUMENTS}" "${arg_KEYWORDS_MISSING_VALUES}")
    if(NOT arg_SOURCES)
        message(FATAL_ERROR "${call}: SOURCES is missing")
    endif()
    if(TARGET ${app})
        message(FATAL_ERROR "${call}: there is a target '${app}' already")
    endif()
    _spm_sim_files("${call}" SOURCES arg_SOURCES)
    _spm_sim_absolute(arg_INCLUDE_DIRECTORIES)

    set(target ${app}__objects)
    add_library(${target} OBJECT ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF
                                               INTERPROCEDURAL_OPTIMIZATION OFF)
    target_include_directories(${target} PRIVATE ${arg_INCLUDE_DIRECTORIES})
    target_compile_definitions(${target} PRIVATE ${arg_COMPILE_DEFINITIONS})
    target_compile_options(${target} PRIVATE -fno-pie -fno-lto -fdata-sections
                                             ${arg_COMPILE_OPTIONS})
    target_link_libraries(${target} PRIVATE spm_sim::headers ${arg_LIBRARIES})

    set(linked "${CMAKE_CURRENT_BINARY_DIR}/${app}.linked.o")
    set(finished "${CMAKE_CURRENT_BINARY_DIR}/${app}.o")
    set(script "${SPM_SIM_CMAKE_DIR}/spm_sim_partition.ld")
    _spm_sim_link_options(link_options)
    add_custom_command(
        OUTPUT "${finished}"
        BYPRODUCTS "${linked}"
        COMMAND ${CMAKE_C_COMPILER} ${link_options} -r -nostdlib "-Wl,-T,${script}"
                -Wl,--build-id=none -o "${linked}" "$<TARGET_OBJECTS:${target}>"
        COMMAND ${CMAKE_OBJCOPY} --weaken-symbol=___asan_globals_registered
                --rename-section .data=spm_sim_ns_data --rename-section .bss=spm_sim_ns_bss
                "${linked}" "${finished}"
        DEPENDS ${target} "$<TARGET_OBJECTS:${target}>" "${script}"
        COMMENT "Linking the NS application ${app}"
        COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${finished}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    add_library(${app} STATIC "${finished}")
    set_target_properties(${app} PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(${app} PUBLIC spm_sim::spm_sim ${arg_LIBRARIES})
    target_link_options(${app} INTERFACE
                        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endfunction()

# --- Checks of a call ----------------------------------------------------------------------------

function(_spm_sim_check_arguments call unknown empty)
    if(unknown)
        message(FATAL_ERROR "${call}: unknown argument '${unknown}'")
    endif()
    if(empty)
        message(FATAL_ERROR "${call}: nothing follows ${empty}")
    endif()
endfunction()

# Sets <variable> to its default, the first of the values, or checks that it is one of them.
function(_spm_sim_choice call keyword variable)
    if(NOT DEFINED ${variable})
        set(${variable} ${ARGV3} PARENT_SCOPE)
    elseif(NOT "${${variable}}" IN_LIST ARGN)
        string(REPLACE ";" ", " allowed "${ARGN}")
        message(FATAL_ERROR "${call}: ${keyword} is '${${variable}}'; it can be one of ${allowed}")
    endif()
endfunction()

# Makes paths absolute, leaving generator expressions alone.
function(_spm_sim_absolute variable)
    set(absolute)
    foreach(file IN LISTS ${variable})
        if(NOT file MATCHES "^\\$<")
            get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
        endif()
        list(APPEND absolute "${file}")
    endforeach()
    set(${variable} "${absolute}" PARENT_SCOPE)
endfunction()

# Makes paths absolute and checks that the files exist or will be generated. A generated file is
# named by its path in the build tree.
function(_spm_sim_files call keyword variable)
    _spm_sim_absolute(${variable})
    foreach(file IN LISTS ${variable})
        get_source_file_property(generated "${file}" GENERATED)
        if(NOT generated AND NOT file MATCHES "^\\$<" AND (NOT EXISTS "${file}"
                                                            OR IS_DIRECTORY "${file}"))
            message(FATAL_ERROR "${call}: ${keyword}: there is no file '${file}'")
        endif()
    endforeach()
    set(${variable} "${${variable}}" PARENT_SCOPE)
endfunction()

function(_spm_sim_check_unique_partition call partition manifest)
    get_property(declared GLOBAL PROPERTY SPM_SIM_PARTITIONS)
    foreach(other IN LISTS declared)
        if(other STREQUAL partition)
            message(FATAL_ERROR "${call}: a partition '${partition}' is declared already")
        endif()
        get_property(other_manifest GLOBAL PROPERTY SPM_SIM_PARTITION_${other}_MANIFEST)
        if(other_manifest STREQUAL manifest)
            message(FATAL_ERROR "${call}: '${manifest}' is the manifest of "
                                "psa_add_partition(${other}) already")
        endif()
    endforeach()
endfunction()

# Every partition of an image was declared, once, and has a manifest header of its own.
function(_spm_sim_check_partitions call partitions)
    get_property(declared GLOBAL PROPERTY SPM_SIM_PARTITIONS)
    set(seen)
    foreach(partition IN LISTS partitions)
        if(NOT partition IN_LIST declared)
            string(REPLACE ";" ", " known "${declared}")
            message(FATAL_ERROR "${call}: no psa_add_partition(${partition}) before this call; "
                                "declared are: ${known}")
        endif()
        if(partition IN_LIST seen)
            message(FATAL_ERROR "${call}: partition '${partition}' is named twice")
        endif()
        list(APPEND seen "${partition}")

        _spm_sim_manifest_base("${partition}" base)
        if(DEFINED header_${base})
            message(FATAL_ERROR "${call}: the manifests of '${header_${base}}' and '${partition}' "
                                "would both give psa_manifest/${base}.h: rename one file")
        endif()
        set(header_${base} "${partition}")
    endforeach()
endfunction()

# Base name of a partition's manifest file, which names its generated header.
function(_spm_sim_manifest_base partition variable)
    get_property(manifest GLOBAL PROPERTY SPM_SIM_PARTITION_${partition}_MANIFEST)
    get_filename_component(base "${manifest}" NAME_WLE)
    set(${variable} "${base}" PARENT_SCOPE)
endfunction()

# --- Manifest lists ------------------------------------------------------------------------------

# The declared partitions whose manifests a list names and its conditions let in. spm_manifest
# reads the list in earnest, at build time; here a line-wise look suffices: `conditional` follows
# the `manifest` that it is about. If the two readings differ, the build stops and says so.
function(_spm_sim_partitions_of_list call list configs variable)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
    get_filename_component(directory "${list}" DIRECTORY)
    file(READ "${list}" text)
    string(REGEX REPLACE "[][;]" " " text "${text}") # to CMake these would mean something
    string(REGEX REPLACE "\r?\n" ";" lines "${text}")
    set(manifests)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[ \t]*#.*$" "" line "${line}")
        set(value "[\"']?[ \t]*:[ \t]*[\"']?([^\"',}#]*)")
        if(line MATCHES "(^|[ \t{,\"'-])manifest${value}")
            string(STRIP "${CMAKE_MATCH_2}" manifest)
            _spm_sim_listed_file("${directory}" "${manifest}" manifest)
            list(APPEND manifests "${manifest}")
        endif()
        if(line MATCHES "(^|[ \t{,\"'-])conditional${value}")
            string(STRIP "${CMAKE_MATCH_2}" condition)
            _spm_sim_condition_is_off("${condition}" "${configs}" left_out)
            if(left_out AND manifests)
                list(POP_BACK manifests)
            endif()
        endif()
    endforeach()
    if(NOT manifests)
        message(FATAL_ERROR "${call}: MANIFEST_LIST: '${list}' names no manifest")
    endif()

    get_property(declared GLOBAL PROPERTY SPM_SIM_PARTITIONS)
    foreach(partition IN LISTS declared)
        get_property(file GLOBAL PROPERTY SPM_SIM_PARTITION_${partition}_MANIFEST)
        get_filename_component(file "${file}" REALPATH)
        set("partition_of_${file}" "${partition}")
    endforeach()
    set(partitions)
    foreach(manifest IN LISTS manifests)
        if(NOT DEFINED "partition_of_${manifest}")
            message(FATAL_ERROR "${call}: '${list}' names the manifest '${manifest}', but no "
                                "psa_add_partition() with that MANIFEST comes before this call")
        endif()
        list(APPEND partitions "${partition_of_${manifest}}")
    endforeach()
    set(${variable} "${partitions}" PARENT_SCOPE)
endfunction()

# The file that a list means: environment variables expanded, relative to the list or else to the
# directory in which spm_manifest runs.
function(_spm_sim_listed_file directory file variable)
    while(file MATCHES "\\$([A-Za-z_][A-Za-z0-9_]*|{([A-Za-z_][A-Za-z0-9_]*)})")
        set(reference "${CMAKE_MATCH_0}")
        string(REGEX REPLACE "[\${}]" "" name "${reference}")
        string(REPLACE "${reference}" "$ENV{${name}}" file "${file}")
    endwhile()
    if(NOT IS_ABSOLUTE "${file}" AND NOT EXISTS "${directory}/${file}")
        set(directory "${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    get_filename_component(file "${file}" REALPATH BASE_DIR "${directory}")
    set(${variable} "${file}" PARENT_SCOPE)
endfunction()

function(_spm_sim_condition_is_off condition configs variable)
    set(is_off OFF)
    foreach(config IN LISTS configs)
        if(config MATCHES "^${condition}=(.*)$")
            string(TOLOWER "${CMAKE_MATCH_1}" value)
            set(is_off OFF)
            if(value STREQUAL "" OR value MATCHES "^(0|off|false|disabled)$")
                set(is_off ON)
            endif()
        endif()
    endforeach()
    set(${variable} ${is_off} PARENT_SCOPE)
endfunction()

# --- Building an image ---------------------------------------------------------------------------

# The target <image>_manifests: everything that spm_manifest makes of the image's manifests.
function(_spm_sim_compile_manifests image directory partitions list level backend configs)
    set(manifests)
    set(headers "${directory}/psa_manifest/sid.h" "${directory}/psa_manifest/pid.h")
    set(bases)
    foreach(partition IN LISTS partitions)
        get_property(manifest GLOBAL PROPERTY SPM_SIM_PARTITION_${partition}_MANIFEST)
        list(APPEND manifests "${manifest}")
        _spm_sim_manifest_base("${partition}" base)
        list(APPEND headers "${directory}/psa_manifest/${base}.h")
        list(APPEND bases "${base}")
    endforeach()
    set(input ${manifests})
    if(list)
        set(input --list "${list}")
    endif()
    set(arguments --image ${image} --output "${directory}" --isolation-level ${level}
                  --backend ${backend})
    foreach(config IN LISTS configs)
        list(APPEND arguments --config "${config}")
    endforeach()
    list(JOIN bases "," bases)

    # A header of a partition that has left the image goes, so that nobody includes it.
    file(GLOB stale "${directory}/psa_manifest/*.h")
    foreach(header IN LISTS stale)
        if(NOT header IN_LIST headers)
            file(REMOVE "${header}")
        endif()
    endforeach()

    # spm_manifest may leave alone what has not changed; the stamp says that it ran.
    add_custom_command(
        OUTPUT "${directory}/manifests.stamp"
        BYPRODUCTS "${directory}/${image}.c" ${headers}
        COMMAND spm_sim::spm_manifest ${arguments} ${input}
        COMMAND ${CMAKE_COMMAND} -DCALL=psa_add_image\(${image}\) "-DDIRECTORY=${directory}"
                "-DBASES=${bases}" -P "${SPM_SIM_CMAKE_DIR}/spm_sim_check_headers.cmake"
        COMMAND ${CMAKE_COMMAND} -E touch "${directory}/manifests.stamp"
        DEPENDS ${manifests} ${list} spm_sim::spm_manifest
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
        COMMENT "Compiling the manifests of ${image}"
        VERBATIM)
    file(MAKE_DIRECTORY "${directory}/psa_manifest")
    add_custom_target(${image}_manifests DEPENDS "${directory}/manifests.stamp")
endfunction()

# One partition for one image: <object> is the file to link, <libraries> what its libraries need
# from outside.
function(_spm_sim_build_partition call image directory partition level object libraries)
    foreach(key IN ITEMS MANIFEST SOURCES LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS
                         COMPILE_OPTIONS)
        get_property(${key} GLOBAL PROPERTY SPM_SIM_PARTITION_${partition}_${key})
    endforeach()
    _spm_sim_private_libraries("${call}" "${partition}" "${LIBRARIES}" archives system_libraries)
    _spm_sim_manifest_base("${partition}" base)

    set(target ${image}__${partition})
    add_library(${target} OBJECT ${SOURCES})
    add_dependencies(${target} ${image}_manifests)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF
                                               INTERPROCEDURAL_OPTIMIZATION OFF)
    target_include_directories(${target} PRIVATE "${directory}" ${INCLUDE_DIRECTORIES})
    target_compile_definitions(${target} PRIVATE PSA_FRAMEWORK_ISOLATION_LEVEL=${level}
                                                 ${COMPILE_DEFINITIONS})
    # objcopy needs machine code, and images live below 4 GiB. A section for each variable lets
    # the linker script tell variables from what sanitizers and coverage tools add.
    target_compile_options(${target} PRIVATE -fno-pie -fno-lto -fdata-sections ${COMPILE_OPTIONS})
    target_link_libraries(${target} PRIVATE spm_sim::headers ${LIBRARIES})

    set(linked "${directory}/${partition}.linked.o")
    set(finished "${directory}/${partition}.o")
    set(script "${SPM_SIM_CMAKE_DIR}/spm_sim_partition.ld")
    _spm_sim_link_options(link_options)
    add_custom_command(
        OUTPUT "${finished}"
        BYPRODUCTS "${linked}"
        COMMAND ${CMAKE_C_COMPILER} ${link_options} -r -nostdlib "-Wl,-T,${script}"
                -Wl,--build-id=none -o "${linked}" "$<TARGET_OBJECTS:${target}>"
                -Wl,--start-group ${archives} -Wl,--end-group
        COMMAND ${CMAKE_COMMAND} "-DOBJCOPY=${CMAKE_OBJCOPY}" "-DNM=${CMAKE_NM}" -DIMAGE=${image}
                -DPARTITION=${partition} "-DMANIFEST=${MANIFEST}" "-DDIRECTORY=${directory}"
                "-DHEADER=${directory}/psa_manifest/${base}.h" "-DINPUT=${linked}"
                "-DOUTPUT=${finished}" -P "${SPM_SIM_CMAKE_DIR}/spm_sim_finish_partition.cmake"
        DEPENDS ${target} "$<TARGET_OBJECTS:${target}>" ${archives} "${script}"
                "${directory}/manifests.stamp"
                "${SPM_SIM_CMAKE_DIR}/spm_sim_finish_partition.cmake"
        COMMENT "Linking partition ${partition} for ${image}"
        COMMAND_EXPAND_LISTS VERBATIM)
    set(${object} "${finished}" PARENT_SCOPE)
    set(${libraries} "${system_libraries}" PARENT_SCOPE)
endfunction()

# Options of the partial link: those of the user's that choose the machine. The linker is GNU ld
# whatever links the program: the others do not run our linker script on a relocatable link.
function(_spm_sim_link_options variable)
    get_directory_property(options COMPILE_OPTIONS)
    separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS}")
    set(machine)
    foreach(option IN LISTS flags options)
        if(option MATCHES "^(-m(32|64|x32|abi=.*)|--target=.*)$")
            list(APPEND machine "${option}")
        endif()
    endforeach()
    if(CMAKE_C_COMPILER_TARGET)
        list(APPEND machine "--target=${CMAKE_C_COMPILER_TARGET}")
    endif()
    set(${variable} ${machine} -fuse-ld=bfd -no-pie PARENT_SCOPE)
endfunction()

# Follows the libraries of a partition: <archives> are the files to link into it, <system> what is
# no target (-lm), left to the program. The simulator itself is never private.
function(_spm_sim_private_libraries call partition libraries archives system)
    set(queue ${libraries})
    set(seen)
    set(found)
    set(outside)
    while(queue)
        list(POP_FRONT queue library)
        if(library MATCHES "^\\$<(LINK_ONLY|BUILD_INTERFACE):(.*)>$")
            set(library "${CMAKE_MATCH_2}")
        elseif(library MATCHES "^\\$<INSTALL_INTERFACE:" OR library MATCHES "^::@")
            continue()
        endif()
        if(library IN_LIST seen)
            continue()
        endif()
        list(APPEND seen "${library}")
        if(TARGET "${library}")
            _spm_sim_private_target("${call}" "${partition}" "${library}" files needs)
            list(APPEND found ${files})
            list(APPEND queue ${needs})
        elseif(library MATCHES "\\.(a|o)$" AND EXISTS "${library}")
            list(APPEND found "${library}")
        elseif(library IN_LIST libraries OR library MATCHES "^\\$<")
            message(FATAL_ERROR "${call}: partition '${partition}': its library '${library}' is "
                "neither a target nor the path of an archive. Link a library of the system to the "
                "program instead: target_link_libraries(<test> PRIVATE ${image} ${library})")
        else()
            list(APPEND outside "${library}")
        endif()
    endwhile()
    set(${archives} "${found}" PARENT_SCOPE)
    set(${system} "${outside}" PARENT_SCOPE)
endfunction()

# One target among them: <files> it brings into the link, <needs> what it links itself.
function(_spm_sim_private_target call partition library files needs)
    get_target_property(aliased "${library}" ALIASED_TARGET)
    if(aliased)
        set(library "${aliased}")
    endif()
    set(${files} "" PARENT_SCOPE)
    set(${needs} "" PARENT_SCOPE)
    if(library MATCHES "^(spm_sim|spm_sim::spm_sim)$")
        return()
    endif()

    get_target_property(type "${library}" TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
        set(${files} "$<TARGET_FILE:${library}>" PARENT_SCOPE)
    elseif(type STREQUAL "OBJECT_LIBRARY")
        set(${files} "$<TARGET_OBJECTS:${library}>" PARENT_SCOPE)
    elseif(NOT type STREQUAL "INTERFACE_LIBRARY")
        message(FATAL_ERROR "${call}: partition '${partition}': its library '${library}' is a "
            "${type}; a private library must be a static, object or interface library")
    endif()
    set(links)
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
        get_target_property(value "${library}" ${property})
        if(value)
            list(APPEND links ${value})
        endif()
    endforeach()
    set(${needs} "${links}" PARENT_SCOPE)
endfunction()
