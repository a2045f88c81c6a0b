// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "av1_shim.h"
#include "deflate_shim.h"
#include "exr_shim.h"
#include "isal_shim.h"
#include "jpeg_shim.h"
#include "jpegxr_shim.h"
#include "png_shim.h"
#include "raw_shim.h"
#include "tiff_shim.h"
