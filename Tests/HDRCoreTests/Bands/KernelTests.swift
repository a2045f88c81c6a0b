// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import PixelKernels
import TestSupport
import Testing

/// Kernels, each compared with its definition over its whole range.
///
/// Transfer functions are tested in `RowDecoderTests` and `ImageTransformTests`, packing in
/// `InterchangeTests`, measurement in `LightLevelsTests`.
@Suite("Kernels") struct KernelTests {
  // MARK: Halves

  /// All 65 536 patterns.
  @Test func halfToFloat() {
    let halves = (0...UInt16.max).map { $0 }
    var row = [Float](repeating: 0, count: halves.count)
    unsafe pk_half_to_float(halves, &row, halves.count)
    for (half, found) in zip(halves, row) {
      let expected = Float(Float16(bitPattern: half))
      let isSame = expected.isNaN ? found.isNaN : found.bitPattern == expected.bitPattern
      #expect(isSame, "half \(half): \(found), not \(expected)")
    }
  }

  /// Every half-precision value, the midpoint between it and the next, and the floats adjacent to
  /// the midpoint.
  @Test func floatToHalf() {
    var row: [Float] = []
    for pattern in 0..<UInt16(0x7C00) {
      let half = Float(Float16(bitPattern: pattern))
      let next = pattern == 0x7BFF ? 65536 : Float(Float16(bitPattern: pattern + 1))
      let middle = (half + next) / 2
      row += [half, middle.nextDown, middle, middle.nextUp, -half, -middle]
    }
    row += [.infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    var halves = [UInt16](repeating: 0, count: row.count)
    unsafe pk_float_to_half(row, &halves, row.count)
    for (value, found) in zip(row, halves) {
      #expect(found == Float16(value).bitPattern, "float \(value)")
    }
    var nan: [UInt16] = [0, 0]
    unsafe pk_float_to_half([.nan, -.nan], &nan, 2)
    #expect(nan.allSatisfy { Float16(bitPattern: $0).isNaN })
  }

  // MARK: Functions

  /// Every 16-bit code up to 4 and its negative, and values near the limits of segments and
  /// octaves.
  @Test func srgbToLight() {
    let edges = (-3...1).map { Float(scalbn(1.055, $0) - 0.055) } + [0.04045, 1, 4]
    let positive =
      (0...4 * 65535).map { Float($0) / 65535 }
      + edges.flatMap { edge in
        (-3...3).map { Float(bitPattern: UInt32(Int(edge.bitPattern) + $0)) }
      }
    let signals = (positive + [5, .infinity]).sorted()
    for sign in [Float(1), -1] {
      var row = signals.map { sign * $0 }
      unsafe pk_srgb_to_light(&row, row.count)
      var previous: Float = 0
      for (signal, found) in zip(signals, row) {
        let expected = SRGB.eotf(min(Double(signal), 4))
        let size = sign * found
        #expect(abs(Double(size) - expected) <= 1e-6 * expected, "signal \(signal)")
        // At the limits of segments, adjacent values may be out of order in the last bits; see
        // `orderOfCodes`.
        #expect(size >= previous * (1 - 1e-6), "linear value of \(signal) decreases")
        previous = max(previous, size)
      }
    }
    var exact: [Float] = [0, -0.0, 1, -1]
    unsafe pk_srgb_to_light(&exact, exact.count)
    #expect(exact == [0, 0, 1, -1] && exact[1].sign == .minus)
  }

  /// Linear values of every 16-bit code, values near the limits of segments and octaves, and values
  /// out of range.
  @Test func lightToSRGB() {
    let edges = (-9...0).map { Float(scalbn(1, $0)) } + [0.0031308]
    var lights: [Float] = (0...65535).map { Float(SRGB.eotf(Double($0) / 65535)) }
    for edge in edges {
      lights += (-3...3).map { Float(bitPattern: UInt32(Int(edge.bitPattern) + $0)) }
    }
    lights = (lights + [5, .infinity]).sorted()
    var row = lights
    unsafe pk_light_to_srgb(&row, row.count)
    var previous: Float = 0
    for (light, found) in zip(lights, row) {
      let expected = SRGB.inverseEOTF(min(Double(light), 1))
      // Half a 16-bit code; relative to the power from which 0.055 is subtracted.
      #expect(abs(Double(found) - expected) <= 7.6e-6 * (expected + 0.055), "light \(light)")
      // At the limits of segments, adjacent values may be out of order in the last bits; see
      // `orderOfCodes`.
      #expect(found >= previous - 1e-6 * (previous + 0.055), "signal of \(light) falls")
      previous = max(previous, found)
    }
    var exact: [Float] = [0, -0.0, 1, 2, -1, .nan]
    unsafe pk_light_to_srgb(&exact, exact.count)
    #expect(exact == [0, 0, 1, 1, 0, 0])
  }

  /// Grays of every 12-bit code and near the limits of octaves, which a gain of 1 leaves unchanged.
  @Test func bt2446aLight() {
    let edges = (-20...0).map { Float(scalbn(1, $0)) }
    var signals = (0...4095).map { Float($0) / 4095 }
    for edge in edges {
      signals += (-3...0).map { Float(bitPattern: UInt32(Int(edge.bitPattern) + $0)) }
    }
    signals.sort()
    let peak: Float = 2
    let (red, green, blue) = bt2446aLight(signals, peak: peak)
    var previous: Float = 0
    for (index, signal) in signals.enumerated() {
      let expected = Gamma.eotf(Double(signal), exponent: 2.4) * Double(peak)
      for found in [red[index], green[index], blue[index]] {
        // The relative error of a power is 2.4 times that of the luma of its gray, the rounded sum
        // of three products.
        #expect(abs(Double(found) - expected) <= 2e-6 * expected, "signal \(signal)")
      }
      // At the limits of octaves, adjacent values may be out of order in the last bits; see
      // `orderOfCodes`.
      #expect(red[index] >= previous * (1 - 2e-6), "linear value of \(signal) decreases")
      previous = max(previous, red[index])
    }
    #expect(red[0] == 0 && green[0] == 0 && blue[0] == 0)
  }

  private func bt2446aLight(
    _ signals: [Float], peak: Float
  ) -> (red: [Float], green: [Float], blue: [Float]) {
    let nodes = [UInt64((1 as Float).bitPattern)]
    var (red, green, blue) = (signals, signals, signals)
    unsafe nodes.withUnsafeBufferPointer { nodes in
      guard let start = nodes.baseAddress else { return }
      var one = unsafe pk_function(
        nodes: start, first: 127 << 23, last: 127 << 23, shift: 23, below_offset: 1, below_slope: 0)
      unsafe pk_bt2446a(&red, &green, &blue, signals.count, &one, 1, peak)
    }
    return (red, green, blue)
  }

  /// Linear values and signals of 16-bit codes are distinct and in order.
  @Test func orderOfCodes() {
    let signals = (0...65535).map { Float($0) / 65535 }
    func expectRising(_ row: [Float], _ name: Comment) {
      #expect(zip(row, row.dropFirst()).allSatisfy { $0 < $1 }, name)
    }
    var light = signals
    unsafe pk_srgb_to_light(&light, light.count)
    expectRising(light, "sRGB to light")
    var found = signals.map { Float(SRGB.eotf(Double($0))) }
    unsafe pk_light_to_srgb(&found, found.count)
    expectRising(found, "light to sRGB")
    let (red, green, blue) = bt2446aLight(signals, peak: 2)
    for row in [red, green, blue] { expectRising(row, "BT.2446 method A") }
  }

  // MARK: Codes

  @Test(arguments: Array(8...16), [true, false]) func quantize(bits: Int, isFullRange: Bool) {
    let levels = Quantization(bits: bits, isFullRange: isFullRange)
    let extremes: [Float] = [.nan, .infinity, -.infinity, 1e38, -1e38, -0.0, 0, 1, -1, 2]
    let row = (0...20_000).map { Float($0) / 10_000 - 0.5 } + extremes
    let highest = Float(levels.maximumCode)
    var codes = [UInt16](repeating: 0, count: row.count)
    func check(offset: Double, scale: Double, _ code: (Double) -> UInt16) {
      unsafe pk_quantize(row, &codes, row.count, Float(offset), Float(scale), highest)
      for (value, found) in zip(row, codes) {
        // Halfway between two codes, single precision may round to either.
        let position = offset + Double(value) * scale
        let isTie = abs(position - position.rounded(.down) - 0.5) < 0.01
        #expect(
          abs(Int(found) - Int(code(Double(value)))) <= (isTie ? 1 : 0),
          "\(value) from \(offset) on")
      }
    }
    check(offset: levels.signalOffset, scale: levels.signalScale, levels.code(ofSignal:))
    check(offset: levels.chromaOffset, scale: levels.chromaScale, levels.code(ofChroma:))
  }

  @Test(arguments: Array(8...16), [true, false]) func codesToSignal(bits: Int, isFullRange: Bool) {
    let levels = Quantization(bits: bits, isFullRange: isFullRange)
    let codes = (0...levels.maximumCode).map { UInt16($0) }
    var row = [Float](repeating: 0, count: codes.count)
    unsafe pk_codes_to_signal(
      codes, &row, codes.count, Float(levels.signalOffset), Float(1 / levels.signalScale))
    for (code, found) in zip(codes, row) {
      #expect(abs(Double(found) - levels.signal(ofCode: code)) < 2e-7, "code \(code)")
    }
    // The lowest code of the signal and the highest are exactly black and white.
    #expect(row[Int(clamping: levels.signalOffset)] == 0)
    #expect(abs(row[Int(clamping: levels.signalOffset + levels.signalScale)] - 1) < 1e-7)
  }

  /// Bits above the depth of the table are ignored, so that a malformed file cannot read out of
  /// bounds.
  @Test(arguments: [255, 1023, 65535] as [UInt16]) func codesToLight(mask: UInt16) {
    let table = (0...mask).map { Float($0) * 2 }
    // Not a multiple of the kernel's unrolled steps.
    let codes = Array((0...UInt16.max).dropLast(5))
    var row = [Float](repeating: 0, count: codes.count)
    unsafe pk_codes_to_light(codes, &row, codes.count, table, mask)
    #expect(zip(codes, row).allSatisfy { $1 == Float($0 & mask) * 2 })
  }

  // MARK: Linear values

  private let colors = (0..<5000).map { index in
    var random = SplitMix(seed: UInt64(index))
    return SIMD3<Float>.random(in: -0.5...12, using: &random)
  }

  private func onRows(
    _ kernel: (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int
    ) -> Void
  ) -> [SIMD3<Double>] {
    var (r, g, b) = (colors.map(\.x), colors.map(\.y), colors.map(\.z))
    unsafe kernel(&r, &g, &b, colors.count)
    return colors.indices.map { SIMD3(Double(r[$0]), Double(g[$0]), Double(b[$0])) }
  }

  @Test func matrix() {
    let matrix = ColorPrimaries.acesAP0.conversion(to: .bt2020)
    let elements = matrix.elements.map { Float($0) }
    let found = unsafe onRows { unsafe pk_matrix($0, $1, $2, $3, elements) }
    for (color, found) in zip(colors, found) {
      #expect(isClose(found, matrix * SIMD3<Double>(color), relative: 0, absolute: 1e-5))
    }
  }

  @Test func luminance() {
    let weights = ColorPrimaries.bt2020.luminanceWeights
    let w = SIMD3<Float>(weights)
    var out = [Float](repeating: 0, count: colors.count + 1)
    unsafe pk_luminance(
      colors.map(\.x) + [.nan], colors.map(\.y) + [1], colors.map(\.z) + [1], &out, out.count,
      w.x, w.y, w.z)
    for (color, found) in zip(colors, out) {
      let expected = max((SIMD3<Double>(color) * weights).sum(), 0)
      #expect(abs(Double(found) - expected) < 1e-5)
    }
    #expect(out[colors.count] == 0)
  }

  @Test(
    arguments: [(50.0, 4.926, 1.0), (4.926, 1, 1), (2, 8, 1), (1, 1, 1), (300, 2, 1), (8, 1, 0.4)])
  func shoulder(content: Double, display: Double, gain: Double) throws {
    let shoulder = try RationalShoulder(
      content: Headroom(ratio: content), display: Headroom(ratio: display), gain: gain)
    let found = unsafe onRows {
      unsafe pk_shoulder(
        $0, $1, $2, $3, Float(shoulder.gain), Float(shoulder.knee), Float(shoulder.curvature),
        Float(shoulder.range.contentPeak), Float(shoulder.range.displayPeak))
    }
    for (color, found) in zip(colors, found) {
      // On a display with more headroom the operator is the identity; the kernel limits values to
      // the content's peak.
      let light = SIMD3<Double>(color)
      guard !shoulder.range.isIdentity || light.max() < content else { continue }
      #expect(isClose(found, shoulder.toneMapped(light), relative: 2e-6), "\(color)")
    }
  }

  @Test func clip() {
    let special: [Float] = [.nan, -.infinity, .infinity, -0.00005, 4.00005, -0.5, 4.5, 0, 4, 1]
    var rows = [[Float]](repeating: [], count: 3)
    for x in special {
      for y in special {
        for z in special {
          rows[0].append(x)
          rows[1].append(y)
          rows[2].append(z)
        }
      }
    }
    var (r, g, b, found) = (rows[0], rows[1], rows[2], pk_clip_count())
    unsafe pk_clip(&r, &g, &b, r.count, 4, -1e-4, 4.0001, &found)
    func clipped(_ value: Float) -> Float { value > 0 ? min(value, 4) : 0 }
    #expect(r == rows[0].map(clipped) && g == rows[1].map(clipped) && b == rows[2].map(clipped))
    func count(_ isCounted: (Float) -> Bool) -> UInt64 {
      UInt64(rows[0].indices.count { index in rows.contains { isCounted($0[index]) } })
    }
    #expect(found.not_a_number == count(\.isNaN))
    #expect(found.below == count { $0 < -1e-4 })
    #expect(found.above == count { $0 > 4.0001 })
  }

  @Test func makeFinite() {
    let row: [Float] = [.nan, .infinity, -.infinity, 2e30, -2e30, 1e30, 3, -3, 0]
    var (r, g, b, found) = (row, Array(row.reversed()), row, pk_clip_count())
    unsafe pk_make_finite(&r, &g, &b, r.count, 1e30, &found)
    #expect(r == [0, 1e30, -1e30, 1e30, -1e30, 1e30, 3, -3, 0])
    #expect(g == r.reversed() && b == r)
    #expect(found.not_a_number == 2 && found.below == 0 && found.above == 0)
    // Two in the row, and two in the reversed row, in other pixels.
    #expect(found.infinite == 4)
  }

  @Test func products() {
    let gains: [Float] = [0, 0.5, 2, 1, -1, .infinity]
    var row: [Float] = [3, 3, 3, 3, 3, 3]
    unsafe pk_multiply(&row, gains, row.count)
    #expect(row == [0, 1.5, 6, 3, -3, .infinity])
    // At alpha 0 colors are unchanged: additive values over a transparent pixel.
    row = [3, 3, 3, 3, 3, 3]
    unsafe pk_unpremultiply(&row, [0, 0.5, 1, .nan, -1, 2], row.count)
    #expect(row == [3, 6, 3, 3, 3, 1.5])
    unsafe pk_mix(&row, [1, 2, 3, 4, 5, 6], row.count, 0.75, 0.25)
    #expect(row == [2.5, 5, 3, 3.25, 3.5, 2.625])
  }
}
