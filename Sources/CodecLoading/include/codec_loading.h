// SPDX-License-Identifier: Apache-2.0
// Codec libraries that a program loads on first use.
//
// Loading libheif, libde265, libavif and libjxl with their dependencies, forty shared libraries,
// takes longer than the other work of a command such as `inspect`. A program that links this
// target, with `--as-needed`, does not depend on them: the functions that it calls are defined
// here, and the first call of one loads its library.
//
// Not on macOS; not for versions of the libraries whose binary interface is not known here, which
// are linked as usual.
#pragma once

// Sets the function that ends the program, with an exit status, if a library is missing; `_exit`
// by default.
void codec_loading_set_end(void (*_Nonnull end)(int status));
