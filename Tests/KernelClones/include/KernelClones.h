// SPDX-License-Identifier: Apache-2.0
// The kernels compiled for one instruction set each, so that a test can compare what the clones
// compute: `PixelKernels` itself chooses one when the program starts.

#ifndef KERNEL_CLONES_H
#define KERNEL_CLONES_H

#include <stdbool.h>

#include "PixelKernels.h"

/// Whether this machine has the instructions of the `v3` kernels; true where they are plain C.
bool kernel_clones_can_run_v3(void);

#define CLONES_OF(kernel)                      \
  extern __typeof__(kernel) baseline_##kernel; \
  extern __typeof__(kernel) v3_##kernel

CLONES_OF(pk_apply_function);
CLONES_OF(pk_srgb_to_light);
CLONES_OF(pk_light_to_srgb);
CLONES_OF(pk_matrix);
CLONES_OF(pk_matrix_to_unit);
CLONES_OF(pk_luminance);
CLONES_OF(pk_multiply);
CLONES_OF(pk_unpremultiply);
CLONES_OF(pk_split_emission);
CLONES_OF(pk_join_emission);
CLONES_OF(pk_clip);
CLONES_OF(pk_make_finite);
CLONES_OF(pk_codes_to_signal);
CLONES_OF(pk_codes_to_light);
CLONES_OF(pk_light_to_codes);
CLONES_OF(pk_codes_to_bytes);
CLONES_OF(pk_quantize);
CLONES_OF(pk_half_to_float);
CLONES_OF(pk_float_to_half);
CLONES_OF(pk_float_to_finite_half);
CLONES_OF(pk_unpack_rgb8);
CLONES_OF(pk_unpack_rgb16);
CLONES_OF(pk_unpack_rgb_float);
CLONES_OF(pk_unpack_rgba8);
CLONES_OF(pk_unpack_rgba16);
CLONES_OF(pk_unpack_rgba_float);
CLONES_OF(pk_unpack_10_10_10_2);
CLONES_OF(pk_unpack_high10);
CLONES_OF(pk_unpack_high10_pairs);
CLONES_OF(pk_pack_rgb8);
CLONES_OF(pk_pack_rgb16);
CLONES_OF(pk_pack_rgb_float);
CLONES_OF(pk_pack_rgba8);
CLONES_OF(pk_pack_rgba16);
CLONES_OF(pk_pack_rgba_float);
CLONES_OF(pk_pack_10_10_10_2);
CLONES_OF(pk_pack_high10);
CLONES_OF(pk_pack_high10_pairs);
CLONES_OF(pk_halve_left);
CLONES_OF(pk_halve_center);
CLONES_OF(pk_double_left);
CLONES_OF(pk_double_center);
CLONES_OF(pk_mix);
CLONES_OF(pk_measure);
CLONES_OF(pk_measure_maximum);
CLONES_OF(pk_shoulder);
CLONES_OF(pk_reinhard);
CLONES_OF(pk_maximum);
CLONES_OF(pk_scale);
CLONES_OF(pk_tone_curve);
CLONES_OF(pk_limit);
CLONES_OF(pk_count_above);
CLONES_OF(pk_count_below);
CLONES_OF(pk_dither_r2);
CLONES_OF(pk_bt2446a);
CLONES_OF(pk_mix_components);
CLONES_OF(pk_add_component);
CLONES_OF(pk_toward_white);
CLONES_OF(pk_map_gamut);
CLONES_OF(pk_sample);
CLONES_OF(pk_delta_e_itp);
CLONES_OF(pk_squared_error);
CLONES_OF(pk_raw_codes);
CLONES_OF(pk_raw_table);
CLONES_OF(pk_raw_floats);
CLONES_OF(pk_raw_levels);
CLONES_OF(pk_raw_reconstruct);
CLONES_OF(pk_raw_highlight_cells);
CLONES_OF(pk_pin);
CLONES_OF(pk_rgb_to_hsv);
CLONES_OF(pk_hsv_to_rgb);
CLONES_OF(pk_hue_sat_map);
CLONES_OF(pk_rgb_table);
CLONES_OF(pk_gain_brightness);
CLONES_OF(pk_gain_table);
CLONES_OF(pk_exposure_ramp);
CLONES_OF(pk_extremes);
CLONES_OF(pk_move_extremes);
CLONES_OF(pk_scale_to);
CLONES_OF(pk_highlight_ratio);
CLONES_OF(pk_recover);
CLONES_OF(pk_bayer_scale);
CLONES_OF(pk_bayer_half_green);
CLONES_OF(pk_bayer_half_color);
CLONES_OF(pk_bayer_differences);
CLONES_OF(pk_bayer_gradients);
CLONES_OF(pk_sum_rows5);
CLONES_OF(pk_sum_columns5);
CLONES_OF(pk_bayer_green);
CLONES_OF(pk_bayer_diagonal);
CLONES_OF(pk_bayer_colors);
CLONES_OF(pk_spline_rows);
CLONES_OF(pk_spline_columns);
CLONES_OF(pk_detail_energy);
CLONES_OF(pk_split_detail);
CLONES_OF(pk_estimate_products);
CLONES_OF(pk_joint_noise);
CLONES_OF(pk_subtract);
CLONES_OF(pk_replace_unsaturated);
CLONES_OF(pk_stabilize);
CLONES_OF(pk_unstabilize);
CLONES_OF(pk_noise_quad);
CLONES_OF(pk_noise_quad_inverse);
CLONES_OF(pk_noise_triple);
CLONES_OF(pk_noise_triple_inverse);
CLONES_OF(pk_hot_pixels);
CLONES_OF(pk_resample);
CLONES_OF(pk_gain_minus_1);
CLONES_OF(pk_apply_gain);
CLONES_OF(pk_log_gain);
CLONES_OF(pk_accumulate);
CLONES_OF(pk_average);
CLONES_OF(pk_average_pairs);
CLONES_OF(pk_average_fours);
CLONES_OF(pk_count_codes);
CLONES_OF(pk_dither_codes);
CLONES_OF(pk_interleave);
CLONES_OF(pk_separate_rows);
CLONES_OF(pk_deinterleave);
CLONES_OF(pk_filter_columns);
CLONES_OF(pk_filter_rows);
CLONES_OF(pk_interleave_bytes);
CLONES_OF(pk_separate_bytes);
CLONES_OF(pk_predict_bytes);
CLONES_OF(pk_interleave_network16);
CLONES_OF(pk_png_sub);
CLONES_OF(pk_png_up);
CLONES_OF(pk_png_average);
CLONES_OF(pk_png_paeth);
CLONES_OF(pk_png_restore_sub);
CLONES_OF(pk_png_restore_up);
CLONES_OF(pk_png_restore_average);
CLONES_OF(pk_png_restore_paeth);
CLONES_OF(pk_deinterleave_bytes);
CLONES_OF(pk_deinterleave_network16);

#endif
