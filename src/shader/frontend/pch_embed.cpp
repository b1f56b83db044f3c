// SPDX-License-Identifier: Apache-2.0
// The precompiled metal_stdlib as read-only data of whatever links shader_frontend.
asm(".section .rodata\n.balign 16\n"
    ".global basanite_stdlib_pch_begin\n.hidden basanite_stdlib_pch_begin\nbasanite_stdlib_pch_begin:\n"
    ".incbin \"" BASANITE_STDLIB_PCH "\"\n"
    ".global basanite_stdlib_pch_end\n.hidden basanite_stdlib_pch_end\nbasanite_stdlib_pch_end:\n.byte 0\n.previous\n");
