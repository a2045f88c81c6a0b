// SPDX-License-Identifier: Apache-2.0
// Memory of this process.
#pragma once

// Returns freed memory to the system, where the C library keeps it for later allocations.
void memory_return_freed(void);
