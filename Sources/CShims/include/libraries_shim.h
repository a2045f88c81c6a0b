// SPDX-License-Identifier: Apache-2.0
// Codec libraries that an installed command loads on first use (Decision 54).
#pragma once

// Each loads a library and returns NULL, or the reason why it cannot be loaded. In programs whose libraries are loaded
// at the start, they do nothing.
const char *library_load_heif(void);
const char *library_load_de265(void);
const char *library_load_avif(void);
const char *library_load_jxl(void);
const char *library_load_tiff(void);
const char *library_load_raw_r(void);
