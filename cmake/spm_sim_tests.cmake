# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# spm_sim_add_test(name SOURCES file... [IMAGE image...] [LIBRARIES library...]
#                  [ARGUMENTS argument...] [ENVIRONMENT NAME=VALUE...] [TIMEOUT seconds])
#
# A test program on CMocka, and the test of the same name that runs it. IMAGE names targets of
# psa_add_image(); they bring the simulator along, and the test is run a second time on fibers. LIBRARIES are targets or libraries; a test of
# the simulator without an image names spm_sim there.
#
# spm_sim_add_script_test(name COMMAND command... [DEPENDS_ON test...] [ENVIRONMENT ...]
#                         [TIMEOUT seconds])
#
# A test that is a command; a target as its first word stands for that target's program. It is not
# run under SPM_SIM_TEST_LAUNCHER: put ${SPM_SIM_TEST_LAUNCHER} into the command where it belongs.

find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

set(SPM_SIM_TEST_TIMEOUT 60 CACHE STRING
    "Seconds that one test may take; ten times that under SPM_SIM_TEST_LAUNCHER or a sanitizer")

function(spm_sim_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT"
                          "SOURCES;IMAGE;LIBRARIES;ARGUMENTS;ENVIRONMENT")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
        message(FATAL_ERROR "spm_sim_add_test(${name}): SOURCES is needed, and "
                            "'${arg_UNPARSED_ARGUMENTS}' is not an option")
    endif()
    add_executable(${name} ${arg_SOURCES})
    # The assertions of spm_sim/cmocka.h use setjmp(), of which GCC warns falsely.
    target_compile_options(${name} PRIVATE
        $<$<AND:$<COMPILE_LANGUAGE:C>,$<C_COMPILER_ID:GNU>>:-Wno-clobbered>)
    target_link_libraries(${name} PRIVATE ${arg_IMAGE} ${arg_LIBRARIES} spm_sim_headers
                                          PkgConfig::CMOCKA)
    add_test(NAME ${name} COMMAND ${SPM_SIM_TEST_LAUNCHER} $<TARGET_FILE:${name}> ${arg_ARGUMENTS})
    _spm_sim_test_properties(${name} "${arg_TIMEOUT}" "${arg_ENVIRONMENT}")
    if(arg_IMAGE)
        add_test(NAME ${name}_on_fibers
                 COMMAND ${SPM_SIM_TEST_LAUNCHER} $<TARGET_FILE:${name}> ${arg_ARGUMENTS})
        _spm_sim_test_properties(${name}_on_fibers "${arg_TIMEOUT}"
                                 "${arg_ENVIRONMENT};SPM_SIM_CONTEXTS=fibers")
    endif()
endfunction()

function(spm_sim_add_script_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "COMMAND;DEPENDS_ON;ENVIRONMENT")
    if(arg_UNPARSED_ARGUMENTS OR NOT arg_COMMAND)
        message(FATAL_ERROR "spm_sim_add_script_test(${name}): COMMAND is needed, and "
                            "'${arg_UNPARSED_ARGUMENTS}' is not an option")
    endif()
    add_test(NAME ${name} COMMAND ${arg_COMMAND})
    _spm_sim_test_properties(${name} "${arg_TIMEOUT}" "${arg_ENVIRONMENT}")
    if(arg_DEPENDS_ON)
        set_tests_properties(${name} PROPERTIES DEPENDS "${arg_DEPENDS_ON}")
    endif()
endfunction()

function(_spm_sim_test_properties name timeout environment)
    if(NOT timeout)
        set(timeout ${SPM_SIM_TEST_TIMEOUT})
    endif()
    if(SPM_SIM_TEST_LAUNCHER OR SPM_SIM_SANITIZE)
        math(EXPR timeout "10 * ${timeout}")
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} ENVIRONMENT "${environment}")
endfunction()
