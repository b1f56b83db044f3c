// SPDX-License-Identifier: Apache-2.0
// math_library.cpp's bitcode as read-only data, for link_math.cpp.
asm(".section .rodata\n.balign 16\n"
    ".global basanite_math_begin\n.hidden basanite_math_begin\nbasanite_math_begin:\n"
    ".incbin \"" BASANITE_MATH_BITCODE "\"\n"
    ".global basanite_math_end\n.hidden basanite_math_end\nbasanite_math_end:\n.byte 0\n.previous\n");
