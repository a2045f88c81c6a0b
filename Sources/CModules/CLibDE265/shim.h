// SPDX-License-Identifier: Apache-2.0
#include <libde265/de265.h>
