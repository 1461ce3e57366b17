# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# What `cmake --install` installs: the library and its headers, the tools, and the files by which
# find_package(spm_sim) and `pkg-config spm_sim` find them.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(spm_sim_package "${CMAKE_INSTALL_LIBDIR}/cmake/spm_sim")

set(spm_sim_built spm_sim spm_manifest spm_cost)
if(TARGET spm_sim_cmocka)
    list(APPEND spm_sim_built spm_sim_cmocka)
endif()
install(TARGETS ${spm_sim_built} spm_sim_headers spm_sim_psa_2019 EXPORT spm_sim_targets)

# For who builds less than everything, as ./demo, and installs it nevertheless.
add_custom_target(spm_sim_installable DEPENDS ${spm_sim_built})

install(DIRECTORY include/ TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(EXPORT spm_sim_targets NAMESPACE spm_sim:: DESTINATION "${spm_sim_package}")

configure_package_config_file(cmake/spm_simConfig.cmake.in
                              "${CMAKE_CURRENT_BINARY_DIR}/spm_simConfig.cmake"
                              INSTALL_DESTINATION "${spm_sim_package}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/spm_simConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/spm_simConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/spm_simConfigVersion.cmake"
              cmake/spm_sim_images.cmake
              cmake/spm_sim_partition.ld
              cmake/cmocka.symbols
              cmake/heap.symbols
              cmake/spm_sim_check_headers.cmake
              cmake/spm_sim_finish_partition.cmake
        DESTINATION "${spm_sim_package}")

# The .pc file finds itself, so that an install tree can be moved.
file(RELATIVE_PATH SPM_SIM_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" SPM_SIM_PC_PREFIX "${SPM_SIM_PC_PREFIX}")
configure_file(cmake/spm_sim.pc.in "${CMAKE_CURRENT_BINARY_DIR}/spm_sim.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/spm_sim.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
