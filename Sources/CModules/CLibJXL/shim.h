// SPDX-License-Identifier: Apache-2.0
#include <jxl/decode.h>
#include <jxl/encode.h>
