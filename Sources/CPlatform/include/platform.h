// SPDX-License-Identifier: Apache-2.0
// What Swift cannot call or declare itself.
#pragma once

// Returns freed memory to the system, where the C library keeps it for later allocations.
void platform_return_freed_memory(void);

// Registers the codecs of the module `ImageCodecs`, if the program is linked to it.
void image_codecs_register(void);
