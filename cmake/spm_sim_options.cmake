# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Options of the build, and what every file of the project is compiled and linked with.

if(CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
    set(spm_sim_top_level ON)
else()
    set(spm_sim_top_level OFF)
endif()

option(SPM_SIM_WERROR "Warnings are errors" OFF)
option(SPM_SIM_TESTS "Build the tests (needs CMocka)" ${spm_sim_top_level})
option(SPM_SIM_BENCH "Build the benches (ipc_bench needs Google Benchmark and a C++ compiler)"
       ${spm_sim_top_level})
option(SPM_SIM_INSTALL "Install the library, its headers, CMake functions and tools"
       ${spm_sim_top_level})
set(SPM_SIM_SANITIZE "" CACHE STRING
    "Sanitizers for everything, as for -fsanitize=: address,undefined or thread; empty: none")
set(SPM_SIM_TEST_LAUNCHER "" CACHE STRING
    "Command in front of every test program, a list; the preset valgrind sets it; empty: none")

# In any build tree `ctest -T memcheck` checks as the preset valgrind does.
set(MEMORYCHECK_COMMAND_OPTIONS
    "--error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible --quiet"
    CACHE STRING "Valgrind's options for ctest -T memcheck")
include(CTest)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(spm_sim_warnings -Wall -Wextra -Wpedantic -Wconversion)
if(SPM_SIM_WERROR)
    list(APPEND spm_sim_warnings -Werror)
endif()
# A structure and a function of one name are plain C; in C++ -Wshadow warns of them.
add_compile_options(${spm_sim_warnings} "$<$<COMPILE_LANGUAGE:C>:-Wshadow;-Wstrict-prototypes>")
# In assert(!"what cannot be") the conversion is meant.
add_compile_options($<$<C_COMPILER_ID:Clang,AppleClang>:-Wno-string-conversion>)

# Firmware may keep a pointer in a uint32_t: the code and data of an image lie below 4 GiB, so
# nothing here is position-independent.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
add_compile_options(-fno-pie $<$<CONFIG:Debug>:-fno-omit-frame-pointer>)
add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)

if(SPM_SIM_SANITIZE)
    add_compile_options(-fsanitize=${SPM_SIM_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SPM_SIM_SANITIZE})
endif()

# C++ is for the bench's shim and for the tests of the headers only.
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 11)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    set(CMAKE_CXX_EXTENSIONS OFF)
endif()
