// SPDX-License-Identifier: Apache-2.0
#define CLONE(kernel) baseline_##kernel
#include "kernels.h"
