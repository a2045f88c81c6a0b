// SPDX-License-Identifier: Apache-2.0
// Debug messages that codec libraries print on standard error.
#pragma once

// Keeps debug messages of libjxl off standard error from now on, for the whole process.
//
// libjxl prints the line of its source for each error if it was built without NDEBUG, as in Debian;
// the error itself is returned as well. Failed assertions and messages of other libraries are printed.
void messages_discard_debugging(void);
