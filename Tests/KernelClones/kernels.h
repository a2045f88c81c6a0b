// All kernels under names that `CLONE` makes, for the instruction set in force.

#define WITHOUT_CLONES

#define pk_apply_function CLONE(pk_apply_function)
#define pk_matrix CLONE(pk_matrix)
#define pk_luminance CLONE(pk_luminance)
#define pk_multiply CLONE(pk_multiply)
#define pk_unpremultiply CLONE(pk_unpremultiply)
#define pk_clip CLONE(pk_clip)
#define pk_make_finite CLONE(pk_make_finite)
#define pk_codes_to_signal CLONE(pk_codes_to_signal)
#define pk_codes_to_light CLONE(pk_codes_to_light)
#define pk_codes_to_bytes CLONE(pk_codes_to_bytes)
#define pk_quantize CLONE(pk_quantize)
#define pk_half_to_float CLONE(pk_half_to_float)
#define pk_float_to_half CLONE(pk_float_to_half)
#define pk_float_to_finite_half CLONE(pk_float_to_finite_half)
#define pk_unpack_rgba8 CLONE(pk_unpack_rgba8)
#define pk_unpack_rgba16 CLONE(pk_unpack_rgba16)
#define pk_unpack_rgba_float CLONE(pk_unpack_rgba_float)
#define pk_unpack_10_10_10_2 CLONE(pk_unpack_10_10_10_2)
#define pk_unpack_high10 CLONE(pk_unpack_high10)
#define pk_unpack_high10_pairs CLONE(pk_unpack_high10_pairs)
#define pk_pack_rgba8 CLONE(pk_pack_rgba8)
#define pk_pack_rgba16 CLONE(pk_pack_rgba16)
#define pk_pack_rgba_float CLONE(pk_pack_rgba_float)
#define pk_pack_10_10_10_2 CLONE(pk_pack_10_10_10_2)
#define pk_pack_high10 CLONE(pk_pack_high10)
#define pk_pack_high10_pairs CLONE(pk_pack_high10_pairs)
#define pk_halve_left CLONE(pk_halve_left)
#define pk_halve_center CLONE(pk_halve_center)
#define pk_double_left CLONE(pk_double_left)
#define pk_double_center CLONE(pk_double_center)
#define pk_mix CLONE(pk_mix)
#define pk_measure CLONE(pk_measure)
#define pk_measure_maximum CLONE(pk_measure_maximum)
#define pk_shoulder CLONE(pk_shoulder)
#define pk_reinhard CLONE(pk_reinhard)
#define pk_maximum CLONE(pk_maximum)
#define pk_scale CLONE(pk_scale)
#define pk_tone_curve CLONE(pk_tone_curve)
#define pk_limit CLONE(pk_limit)
#define pk_dither_r2 CLONE(pk_dither_r2)
#define pk_bt2446a CLONE(pk_bt2446a)
#define pk_mix_components CLONE(pk_mix_components)
#define pk_add_component CLONE(pk_add_component)
#define pk_toward_white CLONE(pk_toward_white)
#define pk_gray_mix CLONE(pk_gray_mix)
#define pk_sample CLONE(pk_sample)
#define pk_delta_e_itp CLONE(pk_delta_e_itp)
#define pk_squared_error CLONE(pk_squared_error)
#define pk_raw_codes CLONE(pk_raw_codes)
#define pk_raw_table CLONE(pk_raw_table)
#define pk_raw_floats CLONE(pk_raw_floats)
#define pk_raw_levels CLONE(pk_raw_levels)
#define pk_raw_reconstruct CLONE(pk_raw_reconstruct)
#define pk_bayer_differences CLONE(pk_bayer_differences)
#define pk_bayer_gradients CLONE(pk_bayer_gradients)
#define pk_sum_rows5 CLONE(pk_sum_rows5)
#define pk_sum_columns5 CLONE(pk_sum_columns5)
#define pk_bayer_green CLONE(pk_bayer_green)
#define pk_bayer_diagonal CLONE(pk_bayer_diagonal)
#define pk_bayer_colors CLONE(pk_bayer_colors)
#define pk_resample CLONE(pk_resample)
#define pk_gain_minus_1 CLONE(pk_gain_minus_1)
#define pk_apply_gain CLONE(pk_apply_gain)
#define pk_log_gain CLONE(pk_log_gain)
#define pk_accumulate CLONE(pk_accumulate)
#define pk_average CLONE(pk_average)
#define pk_count_codes CLONE(pk_count_codes)
#define pk_dither_codes CLONE(pk_dither_codes)
#define pk_interleave CLONE(pk_interleave)
#define pk_deinterleave CLONE(pk_deinterleave)
#define pk_filter_columns CLONE(pk_filter_columns)
#define pk_filter_rows CLONE(pk_filter_rows)

#include "../../Sources/PixelKernels/chroma.c"
#include "../../Sources/PixelKernels/color.c"
#include "../../Sources/PixelKernels/demosaic.c"
#include "../../Sources/PixelKernels/function.c"
#include "../../Sources/PixelKernels/gain.c"
#include "../../Sources/PixelKernels/measure.c"
#include "../../Sources/PixelKernels/metrics.c"
#include "../../Sources/PixelKernels/packing.c"
#include "../../Sources/PixelKernels/raw.c"
#include "../../Sources/PixelKernels/resample.c"
#include "../../Sources/PixelKernels/samples.c"
#include "../../Sources/PixelKernels/tone.c"
