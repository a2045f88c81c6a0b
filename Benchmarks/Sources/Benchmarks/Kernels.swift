// SPDX-License-Identifier: Apache-2.0
import PixelKernels

/// Each kernel on a row that stays in the cache, compared with a copy of the bytes it reads and writes.
func measureKernels() -> [Measurement] {
  let count = 4096
  let repetitions = 400
  var red = (0..<count).map { Float($0) / 256 + 0.01 }
  var green = red
  var blue = red
  var half = [Float](repeating: 0, count: count / 2)
  var full = red
  var codes = (0..<count).map { UInt16($0) }
  var bins = [UInt32](repeating: 0, count: count)
  var histogram = [UInt32](repeating: 0, count: Int(PK_BINS))
  var light = pk_light()
  var clipped = pk_clip_count()
  let matrix: [Float] = [0.6, 0.3, 0.1, 0.1, 0.8, 0.1, 0, 0.1, 0.9]
  let weights: [Float] = [0.2627, 0.678, 0.0593]
  let table = [Float](repeating: 0.5, count: 65_536)
  let entries = [UInt32](repeating: 0, count: 16 * 512)
  let dithered = (0...UInt16.max).map { $0 }
  let pattern = (0..<8).map { UInt16($0) }
  var unit = (0..<count).map { Float($0) / Float(count) }
  // A node an octave fraction, as the transfer functions have them.
  let nodes = (0..<44 * 128).map {
    UInt64(Float($0).bitPattern) | UInt64(Float(1).bitPattern) << 32
  }
  var results: [Measurement] = []

  func measure(_ name: String, bytes: Int, _ body: () -> Void) {
    let time = bestTime { for _ in 0..<repetitions { body() } } / Double(repetitions * count)
    let copy = copyTime(bytes: bytes * count, repetitions: repetitions) / Double(count)
    results.append(
      Measurement(
        name: "kernel \(name)", value: time * 1e9, unit: "ns/sample", copies: time / copy))
  }

  nodes.withUnsafeBufferPointer { nodes in
    guard let nodes = nodes.baseAddress else { return }
    var function = pk_function(
      nodes: nodes, first: UInt32(127 - 36) << 23, last: UInt32(127 + 8) << 23 - 1, shift: 16,
      below_offset: 0, below_slope: 1)
    measure("function (table, interpolated)", bytes: 4) {
      pk_apply_function(&full, count, &function)
    }
  }
  measure("codes to light (table of 65536)", bytes: 3) {
    pk_codes_to_light(codes, &full, count, table, 65_535)
  }
  measure("codes to light (table of 256)", bytes: 3) {
    pk_codes_to_light(codes, &full, count, table, 255)
  }
  // Light from 2^-16 to 1, 512 steps an octave.
  entries.withUnsafeBufferPointer { entries in
    guard let entries = entries.baseAddress else { return }
    var steps = pk_code_table(
      entries: entries, first: (127 - 16) << 23, last: 127 << 23 - 1, shift: 14)
    measure("light to codes (table)", bytes: 3) {
      pk_light_to_codes(red, &codes, count, &steps)
    }
  }
  measure("dither codes (table)", bytes: 2) {
    pk_dither_codes(&codes, count, dithered, pattern, 3)
  }
  measure("sRGB to light", bytes: 4) { pk_srgb_to_light(&unit, count) }
  measure("light to sRGB", bytes: 4) { pk_light_to_srgb(&unit, count) }
  measure("codes to signal", bytes: 3) { pk_codes_to_signal(codes, &full, count, 64, 1 / 876) }
  measure("quantize", bytes: 3) { pk_quantize(red, &codes, count, 0, 1023, 1023) }
  measure("matrix, 3 components", bytes: 12) { pk_matrix(&red, &green, &blue, count, matrix) }
  measure("clip, 3 components", bytes: 12) {
    pk_clip(&red, &green, &blue, count, 49, -1e-4, 49, &clipped)
  }
  measure("luminance", bytes: 12) {
    pk_luminance(red, green, blue, &full, count, weights[0], weights[1], weights[2])
  }
  measure("measure, 3 components", bytes: 12) {
    pk_measure(
      red, green, blue, count, weights, matrix, matrix, 1_048_576, &bins, &histogram, &light)
  }
  measure("halve chroma", bytes: 3) { pk_halve_left(full, &half, count) }
  measure("double chroma", bytes: 3) { pk_double_left(half, &full, count) }
  measure("half to float", bytes: 3) { pk_half_to_float(codes, &full, count) }
  measure("float to half", bytes: 3) { pk_float_to_half(full, &codes, count) }
  return results
}
