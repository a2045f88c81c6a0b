// SPDX-License-Identifier: Apache-2.0
#include <dav1d/dav1d.h>
