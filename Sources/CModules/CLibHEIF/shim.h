// SPDX-License-Identifier: Apache-2.0
#include <libheif/heif.h>

// A macro since libheif 1.22, which Swift does not import.
static const enum heif_chroma heif_chroma_without_color = heif_chroma_monochrome;
