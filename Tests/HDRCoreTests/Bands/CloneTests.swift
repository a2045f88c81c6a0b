// SPDX-License-Identifier: Apache-2.0
import KernelClones
import PixelKernels
import Testing

/// Every kernel yields the same bytes for every instruction set.
///
/// `PixelKernels` selects the clone for the machine at startup; these tests compare it with the
/// same sources compiled without clones, and for x86-64-v3. In release builds all of them are
/// vectorized.
@Suite("Kernel clones") struct CloneTests {
  @Test(arguments: cloneLengths) func arithmetic(count: Int) {
    let (r, g, b) = (floats(count, 1), floats(count, 2), floats(count, 3))
    let matrix: [Float] = [1.7, -0.6, -0.1, -0.12, 1.13, -0.01, -0.02, -0.1, 1.12]
    unsafe compare(pk_matrix, baseline_pk_matrix, v3_pk_matrix) { kernel in
      var (r, g, b) = (r, g, b)
      unsafe kernel(&r, &g, &b, count, matrix)
      return [bits(r), bits(g), bits(b)]
    }
    unsafe compare(pk_matrix_to_unit, baseline_pk_matrix_to_unit, v3_pk_matrix_to_unit) { kernel in
      var (r, g, b) = (r, g, b)
      unsafe kernel(&r, &g, &b, count, matrix)
      return [bits(r), bits(g), bits(b)]
    }
    unsafe compare(pk_luminance, baseline_pk_luminance, v3_pk_luminance) { kernel in
      var out = r
      unsafe kernel(r, g, b, &out, count, 0.2627, 0.678, 0.0593)
      return [bits(out)]
    }
    unsafe compare(pk_multiply, baseline_pk_multiply, v3_pk_multiply) { kernel in
      var row = r
      unsafe kernel(&row, g, count)
      return [bits(row)]
    }
    unsafe compare(pk_unpremultiply, baseline_pk_unpremultiply, v3_pk_unpremultiply) { kernel in
      var row = r
      unsafe kernel(&row, g, count)
      return [bits(row)]
    }
    unsafe compare(pk_split_emission, baseline_pk_split_emission, v3_pk_split_emission) { kernel in
      var (row, emitted) = (r, b)
      unsafe kernel(&row, &emitted, g, count, 0.5, 1)
      return [bits(row), bits(emitted)]
    }
    unsafe compare(pk_join_emission, baseline_pk_join_emission, v3_pk_join_emission) { kernel in
      var row = r
      unsafe kernel(&row, b, g, count, 1)
      return [bits(row)]
    }
    unsafe compare(pk_mix, baseline_pk_mix, v3_pk_mix) { kernel in
      var row = r
      unsafe kernel(&row, g, count, 0.75, 0.25)
      return [bits(row)]
    }
    unsafe compare(pk_clip, baseline_pk_clip, v3_pk_clip) { kernel in
      var (r, g, b, found) = (r, g, b, pk_clip_count())
      unsafe kernel(&r, &g, &b, count, 49.26, -1e-4, 49.27, &found)
      return [bits(r), bits(g), bits(b), bits(found)]
    }
    unsafe compare(pk_make_finite, baseline_pk_make_finite, v3_pk_make_finite) { kernel in
      var (r, g, b, found) = (r, g, b, pk_clip_count())
      unsafe kernel(&r, &g, &b, count, 1e30, &found)
      return [bits(r), bits(g), bits(b), bits(found)]
    }
  }

  @Test(arguments: cloneLengths) func raw(count: Int) {
    let (codes, row, black) = (codes(3 * count, 7), floats(count, 8), floats(count, 9))
    let (table, samples) = (floats(1000, 10), floats(3 * count, 11))
    unsafe compare(pk_raw_codes, baseline_pk_raw_codes, v3_pk_raw_codes) { kernel in
      var out = row
      unsafe kernel(codes, 3, &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_raw_table, baseline_pk_raw_table, v3_pk_raw_table) { kernel in
      var out = row
      unsafe kernel(codes, 1, &out, count, table, 999)
      return [bits(out)]
    }
    unsafe compare(pk_raw_floats, baseline_pk_raw_floats, v3_pk_raw_floats) { kernel in
      var out = row
      unsafe kernel(samples, 3, &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_raw_levels, baseline_pk_raw_levels, v3_pk_raw_levels) { kernel in
      var out = row
      unsafe kernel(&out, black, count, 0.25, 0.7)
      return [bits(out)]
    }
    unsafe compare(pk_raw_reconstruct, baseline_pk_raw_reconstruct, v3_pk_raw_reconstruct) {
      kernel in
      var (r, g, b) = (row, black, Array(samples[..<count]))
      unsafe kernel(&r, &g, &b, count, 2, 1, 1.6, black, row, black)
      return [bits(r), bits(g), bits(b)]
    }
    unsafe compare(
      pk_raw_highlight_cells, baseline_pk_raw_highlight_cells, v3_pk_raw_highlight_cells
    ) { kernel in
      var sums = [Float](repeating: 0, count: (count + 7) / 8 * 11)
      unsafe kernel(row, black, Array(samples[..<count]), count, 2, 1, 1.6, &sums, 8)
      return [bits(sums)]
    }
  }

  @Test(arguments: cloneLengths) func looks(count: Int) {
    let (r, g, b) = (floats(count, 12), floats(count, 13), floats(count, 14))
    typealias Change = (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
    ) -> Void
    func changed(_ kernel: Change) -> [[UInt64]] {
      var (r, g, b) = (r, g, b)
      unsafe pk_pin(&r, &g, &b, count, 7)
      unsafe kernel(&r, &g, &b)
      return [bits(r), bits(g), bits(b)]
    }
    unsafe compare(pk_pin, baseline_pk_pin, v3_pk_pin) { kernel in
      var (r, g, b) = (r, g, b)
      unsafe kernel(&r, &g, &b, count, 7)
      return [bits(r), bits(g), bits(b)]
    }
    unsafe compare(pk_rgb_to_hsv, baseline_pk_rgb_to_hsv, v3_pk_rgb_to_hsv) { kernel in
      unsafe changed { unsafe kernel($0, $1, $2, count) }
    }
    unsafe compare(pk_hsv_to_rgb, baseline_pk_hsv_to_rgb, v3_pk_hsv_to_rgb) { kernel in
      unsafe changed { r, g, b in
        unsafe pk_rgb_to_hsv(r, g, b, count)
        unsafe kernel(r, g, b, count)
      }
    }
    var entries: [Float] = []
    for index in 0..<5 * 6 * 4 {
      entries.append(Float(index % 13) * 20 - 120)
      entries.append(0.5 + Float(index % 7) / 7)
      entries.append(0.7 + Float(index % 5) / 9)
    }
    unsafe compare(pk_hue_sat_map, baseline_pk_hue_sat_map, v3_pk_hue_sat_map) { kernel in
      unsafe changed { r, g, b in
        unsafe pk_rgb_to_hsv(r, g, b, count)
        unsafe entries.withUnsafeBufferPointer { entries in
          guard let start = entries.baseAddress else { return }
          var table = unsafe pk_hue_sat_table(
            entries: start, hues: 6, saturations: 4, values: 5, peak: 7)
          unsafe kernel(r, g, b, count, &table)
        }
      }
    }
    unsafe compare(pk_rgb_table, baseline_pk_rgb_table, v3_pk_rgb_table) { kernel in
      unsafe changed { r, g, b in
        unsafe pk_pin(r, g, b, count, 1)
        unsafe kernel(r, g, b, count, entries, 4)
      }
    }
    unsafe compare(pk_gain_brightness, baseline_pk_gain_brightness, v3_pk_gain_brightness) {
      kernel in
      var out = r
      unsafe kernel(r, g, b, &out, count, [0.1, 0.2, 0.3, 0.05, 0.15])
      return [bits(out)]
    }
    let columns = (0..<count).map { UInt32($0 % 3) }
    let shares = (0..<count).map { Float($0 % 11) / 11 }
    unsafe compare(pk_gain_table, baseline_pk_gain_table, v3_pk_gain_table) { kernel in
      var row = (0..<count).map { Float($0 % 29) / 28 }
      unsafe kernel(&row, count, entries, 17, columns, shares)
      return [bits(row)]
    }
    unsafe compare(pk_exposure_ramp, baseline_pk_exposure_ramp, v3_pk_exposure_ramp) { kernel in
      var row = r
      unsafe kernel(&row, count, 0.005, 1.2, 0.0025, 1)
      return [bits(row)]
    }
    unsafe compare(pk_extremes, baseline_pk_extremes, v3_pk_extremes) { kernel in
      var (least, most) = (r, r)
      unsafe kernel(r, g, b, &least, &most, count)
      return [bits(least), bits(most)]
    }
    let (low, high) = (floats(count, 15), floats(count, 16))
    unsafe compare(pk_move_extremes, baseline_pk_move_extremes, v3_pk_move_extremes) { kernel in
      unsafe changed { unsafe kernel($0, $1, $2, count, low, high) }
    }
    unsafe compare(pk_highlight_ratio, baseline_pk_highlight_ratio, v3_pk_highlight_ratio) {
      kernel in
      var (scene, weight) = (g, g)
      unsafe kernel(r, &scene, &weight, count, 1.4, 8, 0.45)
      return [bits(scene), bits(weight)]
    }
    unsafe compare(pk_scale_to, baseline_pk_scale_to, v3_pk_scale_to) { kernel in
      unsafe changed { unsafe kernel($0, $1, $2, count, low) }
    }
    unsafe compare(pk_recover, baseline_pk_recover, v3_pk_recover) { kernel in
      unsafe changed { unsafe kernel($0, $1, $2, count, b, r, g, low, high, low, 0.45, 0.7) }
    }
  }

  @Test(arguments: cloneLengths) func demosaic(count: Int) {
    let rows = (0..<9).map { floats(count, 20 + $0) }
    let long = (0..<4).map { floats(2 * count + 20, 30 + $0) }
    unsafe compare(pk_bayer_scale, baseline_pk_bayer_scale, v3_pk_bayer_scale) { kernel in
      var out = rows[1]
      unsafe kernel(rows[0], &out, count, 0.7, 1.3)
      return [bits(out)]
    }
    for side in 0..<2 {
      unsafe compare(pk_bayer_half_green, baseline_pk_bayer_half_green, v3_pk_bayer_half_green) {
        kernel in
        var out = rows[0]
        unsafe kernel(long[0], long[1], 6, side, &out, count)
        return [bits(out)]
      }
      unsafe compare(pk_bayer_half_color, baseline_pk_bayer_half_color, v3_pk_bayer_half_color) {
        kernel in
        var (sums, out) = ([Float](repeating: 0, count: count + 4), rows[0])
        unsafe kernel(
          long[0], long[1], long[2], long[3], 6 + side, side == 0 ? 2 : -2, &sums, &out, count)
        return [bits(out)]
      }
    }
    unsafe compare(pk_bayer_differences, baseline_pk_bayer_differences, v3_pk_bayer_differences) {
      kernel in
      var (across, along) = (rows[5], rows[6])
      unsafe kernel(rows[0], rows[1], rows[2], rows[3], rows[4], &across, &along, count, 1)
      return [bits(across), bits(along)]
    }
    unsafe compare(pk_bayer_gradients, baseline_pk_bayer_gradients, v3_pk_bayer_gradients) {
      kernel in
      var (horizontal, vertical) = (rows[5], rows[6])
      unsafe kernel(rows[0], rows[1], rows[2], &horizontal, &vertical, count)
      return [bits(horizontal), bits(vertical)]
    }
    unsafe compare(pk_sum_rows5, baseline_pk_sum_rows5, v3_pk_sum_rows5) { kernel in
      var out = rows[5]
      unsafe kernel(rows[0], rows[1], rows[2], rows[3], rows[4], &out, count, 0.2)
      return [bits(out)]
    }
    unsafe compare(pk_sum_columns5, baseline_pk_sum_columns5, v3_pk_sum_columns5) { kernel in
      var out = rows[5]
      unsafe kernel(rows[0], &out, count, 0.2)
      return [bits(out)]
    }
    unsafe compare(pk_bayer_green, baseline_pk_bayer_green, v3_pk_bayer_green) { kernel in
      var (difference, green) = (rows[7], rows[8])
      unsafe kernel(
        rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], &difference, &green, count, 0
      )
      return [bits(difference), bits(green)]
    }
    unsafe compare(pk_bayer_diagonal, baseline_pk_bayer_diagonal, v3_pk_bayer_diagonal) { kernel in
      var out = rows[5]
      unsafe kernel(rows[0], rows[1], rows[2], rows[3], &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_bayer_colors, baseline_pk_bayer_colors, v3_pk_bayer_colors) { kernel in
      var (own, greens, other) = (rows[6], rows[7], rows[8])
      // The differences of the row itself have a sample before it.
      unsafe long[2].withUnsafeBufferPointer { d in
        unsafe long[3].withUnsafeBufferPointer { e in
          unsafe kernel(
            rows[0], rows[1], d.baseAddress! + 1, rows[2], rows[3], e.baseAddress! + 1, rows[4],
            rows[5], long[0], long[1], &own, &greens, &other, count, 1)
        }
      }
      return [bits(own), bits(greens), bits(other)]
    }
  }

  @Test(arguments: cloneLengths) func noise(count: Int) {
    let rows = (0..<6).map { floats(count + 8, 40 + $0) }
    func changed(
      _ body: (inout [Float], inout [Float], inout [Float], inout [Float]) -> Void
    ) -> [[UInt64]] {
      var (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
      body(&a, &b, &c, &d)
      return [bits(a), bits(b), bits(c), bits(d)]
    }
    unsafe compare(pk_spline_rows, baseline_pk_spline_rows, v3_pk_spline_rows) { kernel in
      changed { a, _, _, _ in unsafe kernel(rows[1], rows[2], rows[3], rows[4], rows[5], &a, count)
      }
    }
    unsafe compare(pk_spline_columns, baseline_pk_spline_columns, v3_pk_spline_columns) { kernel in
      changed { a, _, _, _ in unsafe kernel(rows[1], &a, count, 2) }
    }
    unsafe compare(pk_detail_energy, baseline_pk_detail_energy, v3_pk_detail_energy) { kernel in
      changed { a, _, _, _ in
        let (fine, coarse) = (rows[1] + rows[2] + rows[3], rows[4] + rows[5] + rows[0])
        unsafe kernel(fine, coarse, count / 4, &a, count)
      }
    }
    unsafe compare(pk_split_detail, baseline_pk_split_detail, v3_pk_split_detail) { kernel in
      changed { a, b, _, _ in
        unsafe kernel(rows[1], rows[2], rows[3], 2, rows[0], 0.3, &a, &b, count)
      }
    }
    let (four, part) = (rows[1] + rows[2] + rows[3] + rows[4], count / 2)
    unsafe compare(
      pk_estimate_products, baseline_pk_estimate_products, v3_pk_estimate_products
    ) { kernel in
      var products = [Float](repeating: 0, count: 10 * part)
      unsafe kernel(four, rows[1].count, part / 2, &products, part, part)
      return [bits(products)]
    }
    unsafe compare(pk_joint_noise, baseline_pk_joint_noise, v3_pk_joint_noise) { kernel in
      // A positive definite matrix, with the noise.
      var products = [Float](repeating: 0, count: 10 * rows[1].count)
      unsafe pk_estimate_products(
        four, rows[1].count, 0, &products, rows[1].count, rows[1].count)
      var details = four
      unsafe kernel(
        &details, rows[1].count, products, rows[1].count, 2, four.map(abs), rows[1].count, 0.3,
        [0, 1, -0.1, 1.1, 0, 0.5, 0, 1], count / 2)
      return [bits(details)]
    }
    unsafe compare(pk_subtract, baseline_pk_subtract, v3_pk_subtract) { kernel in
      changed { a, _, _, _ in unsafe kernel(&a, rows[1], count) }
    }
    unsafe compare(
      pk_replace_unsaturated, baseline_pk_replace_unsaturated, v3_pk_replace_unsaturated
    ) { kernel in
      changed { a, _, _, _ in unsafe kernel(&a, 1, rows[1], count) }
    }
    unsafe compare(pk_stabilize, baseline_pk_stabilize, v3_pk_stabilize) { kernel in
      changed { a, _, _, _ in unsafe kernel(&a, count, 0.02, 0.003, 7) }
    }
    unsafe compare(pk_unstabilize, baseline_pk_unstabilize, v3_pk_unstabilize) { kernel in
      changed { a, _, _, _ in unsafe kernel(&a, count, 0.3, 0.01) }
    }
    unsafe compare(pk_noise_quad, baseline_pk_noise_quad, v3_pk_noise_quad) { kernel in
      changed { a, b, c, d in unsafe kernel(&a, &b, &c, &d, count) }
    }
    unsafe compare(
      pk_noise_quad_inverse, baseline_pk_noise_quad_inverse, v3_pk_noise_quad_inverse
    ) { kernel in
      changed { a, b, c, d in unsafe kernel(&a, &b, &c, &d, count) }
    }
    unsafe compare(pk_noise_triple, baseline_pk_noise_triple, v3_pk_noise_triple) { kernel in
      changed { a, b, c, _ in unsafe kernel(&a, &b, &c, count) }
    }
    unsafe compare(
      pk_noise_triple_inverse, baseline_pk_noise_triple_inverse, v3_pk_noise_triple_inverse
    ) { kernel in
      changed { a, b, c, _ in unsafe kernel(&a, &b, &c, count) }
    }
    unsafe compare(pk_hot_pixels, baseline_pk_hot_pixels, v3_pk_hot_pixels) { kernel in
      changed { a, _, _, _ in unsafe kernel(rows[1], rows[2], rows[3], rows[4], rows[5], &a, count)
      }
    }
  }

  @Test(arguments: cloneLengths) func samples(count: Int) {
    let (codes, row) = (codes(count, 4), floats(count, 5))
    let table = floats(1024, 6)
    unsafe compare(pk_codes_to_signal, baseline_pk_codes_to_signal, v3_pk_codes_to_signal) {
      kernel in
      var out = row
      unsafe kernel(codes, &out, count, 64, 1 / 876)
      return [bits(out)]
    }
    for mask in [255, 1023] as [UInt16] {
      unsafe compare(pk_codes_to_light, baseline_pk_codes_to_light, v3_pk_codes_to_light) {
        kernel in
        var out = row
        unsafe kernel(codes, &out, count, table, mask)
        return [bits(out)]
      }
    }
    unsafe compare(pk_light_to_codes, baseline_pk_light_to_codes, v3_pk_light_to_codes) { kernel in
      var out = codes
      let table = (0..<4096).map { UInt32($0) << 14 + UInt32($0 * 977 & 0x3FFF) }
      unsafe table.withUnsafeBufferPointer { table in
        guard let start = table.baseAddress else { return }
        var table = unsafe pk_code_table(
          entries: start, first: Int32(Float(0.01).bitPattern),
          last: Int32(Float(0.01).bitPattern) + 4095 << 14, shift: 14)
        unsafe kernel(row, &out, count, &table)
      }
      return [bits(out)]
    }
    unsafe compare(pk_codes_to_bytes, baseline_pk_codes_to_bytes, v3_pk_codes_to_bytes) { kernel in
      var out = [UInt8](repeating: 0, count: count)
      unsafe kernel(codes, &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_quantize, baseline_pk_quantize, v3_pk_quantize) { kernel in
      var out = codes
      unsafe kernel(row, &out, count, 64, 876, 1023)
      return [bits(out)]
    }
    unsafe compare(pk_half_to_float, baseline_pk_half_to_float, v3_pk_half_to_float) { kernel in
      var out = row
      unsafe kernel(codes, &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_float_to_half, baseline_pk_float_to_half, v3_pk_float_to_half) { kernel in
      var out = codes
      unsafe kernel(row, &out, count)
      return [bits(out)]
    }
    unsafe compare(
      pk_float_to_finite_half, baseline_pk_float_to_finite_half, v3_pk_float_to_finite_half
    ) { kernel in
      var out = codes
      unsafe kernel(row, &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_srgb_to_light, baseline_pk_srgb_to_light, v3_pk_srgb_to_light) { kernel in
      var out = row
      unsafe kernel(&out, count)
      return [bits(out)]
    }
    unsafe compare(pk_light_to_srgb, baseline_pk_light_to_srgb, v3_pk_light_to_srgb) { kernel in
      var out = row
      unsafe kernel(&out, count)
      return [bits(out)]
    }
    unsafe compare(pk_apply_function, baseline_pk_apply_function, v3_pk_apply_function) { kernel in
      var out = row
      unsafe withFunction { unsafe kernel(&out, count, $0) }
      return [bits(out)]
    }
  }

  /// Passes a function of arbitrary nodes, from 1/4 to 4, to `body`.
  private func withFunction<Result>(_ body: (UnsafePointer<pk_function>) -> Result) -> Result {
    let nodes = (0..<4 * 128).map { UInt64($0 * 0x0000_0101_0003_0007) & 0x3F7F_FFFF_3F7F_FFFF }
    return unsafe nodes.withUnsafeBufferPointer { nodes in
      guard let start = nodes.baseAddress else { preconditionFailure("no nodes") }
      var function = unsafe pk_function(
        nodes: start, first: 125 << 23, last: 129 << 23 - 1, shift: 16, below_offset: 0,
        below_slope: 1.5)
      return unsafe body(&function)
    }
  }

  @Test(arguments: cloneLengths) func chroma(count: Int) {
    let (row, half) = (floats(count, 7), floats((count + 1) / 2, 8))
    func halves(
      _ kernel: @Sendable (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
    )
      -> [[UInt64]]
    {
      var out = half
      unsafe kernel(row, &out, count)
      return [bits(out)]
    }
    func doubles(
      _ kernel: @Sendable (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
    )
      -> [[UInt64]]
    {
      var out = row
      unsafe kernel(half, &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_halve_left, baseline_pk_halve_left, v3_pk_halve_left, halves)
    unsafe compare(pk_halve_center, baseline_pk_halve_center, v3_pk_halve_center, halves)
    unsafe compare(pk_double_left, baseline_pk_double_left, v3_pk_double_left, doubles)
    unsafe compare(pk_double_center, baseline_pk_double_center, v3_pk_double_center, doubles)
  }

  @Test(arguments: cloneLengths) func tone(count: Int) {
    let (r, g, b) = (floats(count, 20), floats(count, 21), floats(count, 22))
    let from = floats(count, 23)
    typealias Row = UnsafeMutablePointer<Float>
    func mapped(_ map: (Row, Row, Row, Int) -> Int) -> [[UInt64]] {
      var (r, g, b) = (r, g, b)
      let changed = unsafe map(&r, &g, &b, count)
      return [bits(r), bits(g), bits(b), [UInt64(changed)]]
    }
    unsafe compare(pk_shoulder, baseline_pk_shoulder, v3_pk_shoulder) { kernel in
      unsafe mapped { unsafe kernel($0, $1, $2, $3, 0.8, 2.46, 0.4, 49.26, 4.926) }
    }
    unsafe compare(pk_reinhard, baseline_pk_reinhard, v3_pk_reinhard) { kernel in
      unsafe mapped { unsafe kernel($0, $1, $2, $3, 0.2, 0.4, 49.26, 4.926) }
    }
    unsafe compare(pk_scale, baseline_pk_scale, v3_pk_scale) { kernel in
      unsafe mapped { unsafe kernel($0, $1, $2, $3, from) }
    }
    unsafe compare(pk_tone_curve, baseline_pk_tone_curve, v3_pk_tone_curve) { kernel in
      unsafe mapped { r, g, b, count in
        unsafe withFunction { unsafe kernel(r, g, b, count, $0) }
      }
    }
    unsafe compare(pk_limit, baseline_pk_limit, v3_pk_limit) { kernel in
      unsafe mapped { unsafe kernel($0, $1, $2, $3, 4.926) }
    }
    unsafe compare(pk_count_above, baseline_pk_count_above, v3_pk_count_above) { kernel in
      unsafe mapped { unsafe kernel($0, $1, $2, $3, 0.4) }
    }
    unsafe compare(pk_count_below, baseline_pk_count_below, v3_pk_count_below) { kernel in
      unsafe mapped { unsafe kernel($0, $1, $2, $3, 0.1) }
    }
    unsafe compare(pk_bt2446a, baseline_pk_bt2446a, v3_pk_bt2446a) { kernel in
      unsafe mapped { r, g, b, count in
        unsafe withFunction { unsafe kernel(r, g, b, count, $0, 2.1, 1.3) }
        return 0
      }
    }
    unsafe compare(pk_toward_white, baseline_pk_toward_white, v3_pk_toward_white) { kernel in
      // BT.2020.
      var whitening = pk_whitening()
      whitening.strength = 0.05
      whitening.responses = (0.4209, 0.5252, 0.0539, 0.1668, 0.7445, 0.0887, 0.0119, 0.0563, 0.9318)
      whitening.colors = (
        3.2977, -2.3286, 0.0309, -0.7393, 1.8749, -0.1356, 0.0026, -0.0836, 1.0809
      )
      return unsafe mapped { r, g, b, count in
        unsafe kernel(r, g, b, count, from, &whitening)
        return 0
      }
    }
    unsafe compare(pk_map_gamut, baseline_pk_map_gamut, v3_pk_map_gamut) { kernel in
      var parameters = pk_gamut_parameters()
      // BT.2020 to BT.709.
      parameters.weights = (0.2126, 0.7152, 0.07219)
      (parameters.peak, parameters.inside, parameters.inside_at_peak) = (4.926, 0.1, 0.9)
      (
        parameters.per_margin, parameters.per_margin_at_peak, parameters.knee,
        parameters.knee_at_peak
      ) = (10, 10, 9, 9)
      parameters.locus_knee = 0.95
      parameters.least_brightness = 1e-3
      (parameters.chroma_loss, parameters.chroma_loss_of_darkest) = (0.12, 0.03)
      parameters.locus = (
        -0.3535, -0.615, -0.03151, -0.4386, -0.5238, -0.03752, -0.4648, -0.4576, -0.07762,
        -0.4539, -0.4059, -0.1402, -0.4084, -0.3403, -0.2513, -0.2658, -0.2179, -0.5164,
        -0.08151, -0.114, -0.8045, -0.0176, -0.1082, -0.8742, -0.08874, -0.8105, -0.1007
      )
      parameters.responses = (
        0.3013, 0.6263, 0.07246, 0.1576, 0.7473, 0.09509, 0.02661, 0.1377, 0.8357
      )
      parameters.response_weights = (0.3652, 0.6545, -0.01976)
      parameters.offsets = (5.545, -5.617, 0.07195, -1.614, 1.76, -0.1468, -0.3478, -0.8943, 1.242)
      parameters.oklab = (
        0.4122, 0.5363, 0.05145, 0.2119, 0.6807, 0.1074, 0.0883, 0.2817, 0.63, 1.978, -2.429,
        0.4506, 0.0259, 0.7828, -0.8087
      )
      return unsafe mapped { unsafe kernel($0, $1, $2, $3, &parameters) }
    }
    unsafe compare(pk_maximum, baseline_pk_maximum, v3_pk_maximum) { kernel in
      var out = r
      unsafe kernel(r, g, b, &out, count)
      return [bits(out)]
    }
    unsafe compare(pk_mix_components, baseline_pk_mix_components, v3_pk_mix_components) { kernel in
      var out = r
      unsafe kernel(r, g, b, &out, count, [0.1, 0.2, 0.1, 0.5, 0.1])
      return [bits(out)]
    }
    unsafe compare(pk_dither_r2, baseline_pk_dither_r2, v3_pk_dither_r2) { kernel in
      var out = r
      unsafe kernel(&out, count, 2_447_445_413, 3_242_174_889, 0.98 / 255)
      return [bits(out)]
    }
    unsafe compare(pk_add_component, baseline_pk_add_component, v3_pk_add_component) { kernel in
      var out = r
      unsafe kernel(r, g, &out, count, 0.3)
      return [bits(out)]
    }
  }

  @Test(arguments: cloneLengths) func measure(count: Int) {
    let (r, g, b) = (floats(count, 9), floats(count, 10), floats(count, 11))
    let gamuts: [[Float]] = [
      [1.66, -0.59, -0.07, -0.12, 1.13, -0.01, -0.02, -0.1, 1.12],
      [1.34, -0.28, -0.06, -0.07, 1.08, -0.01, 0, -0.02, 1.02],
    ]
    unsafe compare(pk_measure, baseline_pk_measure, v3_pk_measure) { kernel in
      var bins = [UInt32](repeating: 0, count: count)
      var histogram = [UInt32](repeating: 0, count: Int(PK_BINS))
      var light = pk_light()
      light.smallest_luminance_bits = .max
      unsafe kernel(
        r, g, b, count, [0.2627, 0.678, 0.0593], gamuts[0], gamuts[1], 1_048_576, &bins,
        &histogram, &light)
      let sums = [light.sum_of_maxima, light.sum_of_luminance, light.outside.0, light.outside.1]
      let extremes = [
        light.largest_maximum_bits, light.largest_luminance_bits, light.smallest_luminance_bits,
      ]
      return [sums, extremes.map(UInt64.init), histogram.map(UInt64.init)]
    }
  }

  @Test(arguments: cloneLengths) func measureMaximum(count: Int) {
    let maxima = floats(count, 9).map { max($0, 0) }
    unsafe compare(pk_measure_maximum, baseline_pk_measure_maximum, v3_pk_measure_maximum) {
      kernel in
      var bins = [UInt32](repeating: 0, count: count)
      var histogram = [UInt32](repeating: 0, count: Int(PK_BINS))
      var light = pk_light()
      unsafe kernel(maxima, count, &bins, &histogram, &light)
      return [[UInt64(light.largest_maximum_bits)], histogram.map(UInt64.init)]
    }
  }

  @Test(arguments: cloneLengths) func packingWithoutAlpha(count: Int) {
    let bytes = codes(12 * count, 12).map { UInt8(truncatingIfNeeded: $0) }
    typealias Codes = UnsafePointer<UInt16>
    typealias MutableCodes = UnsafeMutablePointer<UInt16>
    func unpack(
      _ kernel:
        @Sendable (UnsafePointer<UInt8>, MutableCodes, MutableCodes, MutableCodes, Int) -> Void
    ) -> [[UInt64]] {
      var (r, g, b) = (codes(count, 13), codes(count, 14), codes(count, 15))
      unsafe kernel(bytes, &r, &g, &b, count)
      return [bits(r), bits(g), bits(b)]
    }
    func pack(
      _ kernel: @Sendable (UnsafeMutablePointer<UInt8>, Codes, Codes, Codes, Int) -> Void
    ) -> [[UInt64]] {
      var bytes = bytes
      unsafe kernel(&bytes, codes(count, 13), codes(count, 14), codes(count, 15), count)
      return [bits(bytes)]
    }
    unsafe compare(pk_unpack_rgb8, baseline_pk_unpack_rgb8, v3_pk_unpack_rgb8, unpack)
    unsafe compare(pk_unpack_rgb16, baseline_pk_unpack_rgb16, v3_pk_unpack_rgb16, unpack)
    unsafe compare(pk_pack_rgb8, baseline_pk_pack_rgb8, v3_pk_pack_rgb8, pack)
    unsafe compare(pk_pack_rgb16, baseline_pk_pack_rgb16, v3_pk_pack_rgb16, pack)
    unsafe compare(pk_unpack_rgb_float, baseline_pk_unpack_rgb_float, v3_pk_unpack_rgb_float) {
      kernel in
      var (r, g, b) = (floats(count, 0), floats(count, 0), floats(count, 0))
      unsafe kernel(bytes, &r, &g, &b, count)
      return [bits(r), bits(g), bits(b)]
    }
    unsafe compare(pk_pack_rgb_float, baseline_pk_pack_rgb_float, v3_pk_pack_rgb_float) { kernel in
      var bytes = bytes
      unsafe kernel(&bytes, floats(count, 0), floats(count, 1), floats(count, 2), count)
      return [bits(bytes)]
    }
  }

  @Test(arguments: cloneLengths) func packing(count: Int) {
    let bytes = codes(16 * count, 12).map { UInt8(truncatingIfNeeded: $0) }
    let (r, g, b, a) = (codes(count, 13), codes(count, 14), codes(count, 15), codes(count, 16))
    typealias Codes = UnsafePointer<UInt16>
    typealias MutableCodes = UnsafeMutablePointer<UInt16>
    func unpack(
      _ kernel:
        @Sendable (
          UnsafePointer<UInt8>, MutableCodes, MutableCodes, MutableCodes, MutableCodes, Int
        ) -> Void
    ) -> [[UInt64]] {
      var (r, g, b, a) = (r, g, b, a)
      unsafe kernel(bytes, &r, &g, &b, &a, count)
      return [bits(r), bits(g), bits(b), bits(a)]
    }
    func pack(
      _ kernel: @Sendable (UnsafeMutablePointer<UInt8>, Codes, Codes, Codes, Codes, Int) -> Void
    ) -> [[UInt64]] {
      var bytes = bytes
      unsafe kernel(&bytes, r, g, b, a, count)
      return [bits(bytes)]
    }
    unsafe compare(pk_unpack_rgba8, baseline_pk_unpack_rgba8, v3_pk_unpack_rgba8, unpack)
    unsafe compare(pk_unpack_rgba16, baseline_pk_unpack_rgba16, v3_pk_unpack_rgba16, unpack)
    unsafe compare(
      pk_unpack_10_10_10_2, baseline_pk_unpack_10_10_10_2, v3_pk_unpack_10_10_10_2, unpack)
    unsafe compare(pk_pack_rgba8, baseline_pk_pack_rgba8, v3_pk_pack_rgba8, pack)
    unsafe compare(pk_pack_rgba16, baseline_pk_pack_rgba16, v3_pk_pack_rgba16, pack)
    unsafe compare(pk_pack_10_10_10_2, baseline_pk_pack_10_10_10_2, v3_pk_pack_10_10_10_2, pack)
    unsafe compare(
      pk_unpack_rgba_float, baseline_pk_unpack_rgba_float, v3_pk_unpack_rgba_float
    ) { kernel in
      var (r, g, b, a) = (
        floats(count, 0), floats(count, 0), floats(count, 0), floats(count, 0)
      )
      unsafe kernel(bytes, &r, &g, &b, &a, count)
      return [bits(r), bits(g), bits(b), bits(a)]
    }
    unsafe compare(pk_pack_rgba_float, baseline_pk_pack_rgba_float, v3_pk_pack_rgba_float) {
      kernel in
      let rows = (0..<4).map { floats(count, $0) }
      var bytes = bytes
      unsafe kernel(&bytes, rows[0], rows[1], rows[2], rows[3], count)
      return [bits(bytes)]
    }
    unsafe compare(pk_unpack_high10, baseline_pk_unpack_high10, v3_pk_unpack_high10) { kernel in
      var r = r
      unsafe kernel(bytes, &r, count)
      return [bits(r)]
    }
    unsafe compare(
      pk_unpack_high10_pairs, baseline_pk_unpack_high10_pairs, v3_pk_unpack_high10_pairs
    ) { kernel in
      var (r, g) = (r, g)
      unsafe kernel(bytes, &r, &g, count)
      return [bits(r), bits(g)]
    }
    unsafe compare(pk_pack_high10, baseline_pk_pack_high10, v3_pk_pack_high10) { kernel in
      var bytes = bytes
      unsafe kernel(&bytes, r, count)
      return [bits(bytes)]
    }
    unsafe compare(
      pk_pack_high10_pairs, baseline_pk_pack_high10_pairs, v3_pk_pack_high10_pairs
    ) { kernel in
      var bytes = bytes
      unsafe kernel(&bytes, r, g, count)
      return [bits(bytes)]
    }
  }
}
