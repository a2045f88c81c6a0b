// SPDX-License-Identifier: Apache-2.0
// The inner loops, which process rows without allocation, threads, or decisions on formats.
//
// Tests compare each kernel with a readable definition in Swift (HDRCore) over its whole range. All
// clones yield the same bytes, without contraction or reassociation; sums are sums of integers.

#ifndef PIXEL_KERNELS_H
#define PIXEL_KERNELS_H

// Hidden functions are not exported by libraries of which the kernels are a part. References to
// exported ones are also bound in the order of their symbols, which calls resolvers of clones before
// the addresses that they return are known.
#pragma GCC visibility push(hidden)

#include "pk_color.h"
#include "pk_denoise.h"
#include "pk_function.h"
#include "pk_gain.h"
#include "pk_measure.h"
#include "pk_png.h"
#include "pk_raw.h"
#include "pk_resample.h"
#include "pk_samples.h"
#include "pk_tone.h"

/// Name of the instruction set of the selected clones: "baseline" without clones.
const char *_Nonnull pk_instruction_set(void);

#pragma GCC visibility pop

#endif
