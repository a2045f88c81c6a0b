// The hot loops: rows in, rows out. No allocation, no threads, no choice of format inside a loop.
//
// Each has a readable definition in Swift (HDRCore) that a test sweeps against it. All give the
// same bytes from every clone: no contraction, no reassociation; sums are sums of integers.

#ifndef PIXEL_KERNELS_H
#define PIXEL_KERNELS_H

#include "pk_color.h"
#include "pk_function.h"
#include "pk_gain.h"
#include "pk_measure.h"
#include "pk_raw.h"
#include "pk_resample.h"
#include "pk_samples.h"
#include "pk_tone.h"

#endif
