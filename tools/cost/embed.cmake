# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) The spm_sim contributors

# Makes a C file that holds other files.
#   OUTPUT      the C file
#   DIRECTORY   what the paths in it are relative to
#   FILES       the files, with commas between

cmake_minimum_required(VERSION 3.20)

string(REPLACE "," ";" files "${FILES}")
set(arrays "")
set(table "")
set(index 0)
foreach(file IN LISTS files)
    file(READ "${file}" bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "    \\1\n" bytes "${bytes}")
    file(RELATIVE_PATH path "${DIRECTORY}" "${file}")
    string(APPEND arrays "static const unsigned char file_${index}[] = {\n${bytes}};\n\n")
    string(APPEND table "    {\"${path}\", file_${index}, sizeof(file_${index})},\n")
    math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "/* Made by embed.cmake. */\n\n#include \"builtin.h\"\n\n${arrays}"
     "const struct builtin builtins[] = {\n${table}};\n\n"
     "const size_t builtin_count = sizeof(builtins) / sizeof(builtins[0]);\n")
