# embed.cmake - a text file as a C string: cmake -DFROM=page.html -DTO=page.c -DNAME=report_page -P embed.cmake
#
# Written in CMake so that the library needs no tool beyond it.  Bytes become numbers: C
# compilers limit the length of string literals.
file(READ "${FROM}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..," "\\0\n" bytes "${bytes}")
file(WRITE "${TO}" "/* made from ${NAME} by embed.cmake */\n#include <stddef.h>\nextern const char ${NAME}[];\nextern const size_t ${NAME}_len;\nconst char ${NAME}[] = {\n${bytes}0};\nconst size_t ${NAME}_len = sizeof ${NAME} - 1;\n")
