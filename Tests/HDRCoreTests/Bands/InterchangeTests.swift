// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

/// Images from and to buffers of pixels: compared with literal bytes, and round trips.
@Suite("Interchange") struct InterchangeTests {
  private func image(
    _ bytes: [UInt8], _ layout: PixelLayout
  ) throws -> ImagePlanes { try ImagePlanes(pixels: bytes.span, layout: layout) }

  private func write(
    _ image: ImagePlanes, to bytes: inout [UInt8], _ layout: PixelLayout
  ) throws {
    var pixels = bytes.mutableSpan
    try image.write(to: &pixels, as: layout)
  }

  private func codes(_ image: ImagePlanes) -> [[UInt16]] {
    guard case .integer(let planes) = image.planes else { return [] }
    return planes.map { samples($0) }
  }

  private func floats(_ image: ImagePlanes) -> [[Float]] {
    guard case .float(let planes) = image.planes else { return [] }
    return planes.map { samples($0) }
  }

  // MARK: Literal bytes

  @Test func rgb() throws {
    let eight = PixelLayout(.rgb8, width: 2, height: 1)
    #expect(
      try codes(image([1, 2, 3, 250, 251, 252], eight)) == [[1, 250], [2, 251], [3, 252]])
    let sixteen = PixelLayout(.rgb16, width: 1, height: 1)
    #expect(
      try codes(image([0x34, 0x12, 0xFF, 0xFF, 1, 0], sixteen)) == [[0x1234], [0xFFFF], [1]])
    let half = PixelLayout(.rgbHalf, width: 1, height: 1)
    #expect(try floats(image([0x00, 0x3C, 0x00, 0xC0, 0x00, 0x38], half)) == [[1], [-2], [0.5]])
    let single = PixelLayout(.rgbFloat, width: 1, height: 1)
    let bytes: [UInt8] = [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0x80, 0x7F]
    #expect(try floats(image(bytes, single)) == [[1], [-2], [.infinity]])
    #expect(try !image(bytes, single).layout.hasAlpha)
  }

  @Test func rgba8() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 250, 251, 252, 255]
    let layout = PixelLayout(.rgba8, width: 2, height: 1)
    let found = try image(bytes, layout)
    #expect(codes(found) == [[1, 250], [2, 251], [3, 252], [4, 255]])
    #expect(try found.pixels(as: layout) == bytes)
  }

  @Test func rgba16() throws {
    let bytes: [UInt8] = [0x34, 0x12, 0xFF, 0xFF, 0x00, 0x80, 0x01, 0x00]
    let layout = PixelLayout(.rgba16, width: 1, height: 1)
    let found = try image(bytes, layout)
    #expect(codes(found) == [[0x1234], [0xFFFF], [0x8000], [1]])
    #expect(try found.pixels(as: layout) == bytes)
  }

  @Test func rgbaHalf() throws {
    // 1, -2, 65504, smallest subnormal; infinity, 0.5, -0, 1.
    let bytes: [UInt8] = [
      0x00, 0x3C, 0x00, 0xC0, 0xFF, 0x7B, 0x01, 0x00, 0x00, 0x7C, 0x00, 0x38, 0x00, 0x80, 0x00,
      0x3C,
    ]
    let layout = PixelLayout(.rgbaHalf, width: 2, height: 1)
    let found = try image(bytes, layout)
    #expect(floats(found) == [[1, .infinity], [-2, 0.5], [65504, -0.0], [0x1p-24, 1]])
    #expect(try found.pixels(as: layout) == bytes)
  }

  @Test func rgbaFloat() throws {
    // 1, -2, 0.5, infinity.
    let bytes: [UInt8] = [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0x3F, 0, 0, 0x80, 0x7F]
    let layout = PixelLayout(.rgbaFloat, width: 1, height: 1)
    let found = try image(bytes, layout)
    #expect(floats(found) == [[1], [-2], [0.5], [.infinity]])
    #expect(try found.pixels(as: layout) == bytes)
  }

  /// The word 0b10_0000000011_1000000000_1111111110: alpha 2, then 3, 512, 1022.
  @Test func tenBits() throws {
    let word: UInt32 = 2 << 30 | 3 << 20 | 512 << 10 | 1022
    let bytes: [UInt8] = [0xFE, 0x03, 0x38, 0x80]
    #expect(bytes == [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) })
    let rgb = PixelLayout(.rgb10a2, width: 1, height: 1)
    #expect(try codes(image(bytes, rgb)) == [[1022], [512], [3], [682]])
    #expect(try image(bytes, rgb).pixels(as: rgb) == bytes)
    let bgr = PixelLayout(.bgr10a2, width: 1, height: 1)
    #expect(try codes(image(bytes, bgr)) == [[3], [512], [1022], [682]])
    #expect(try image(bytes, bgr).pixels(as: bgr) == bytes)
  }

  /// An image of 3 by 3 pixels, with 2 by 2 chroma samples.
  ///
  /// The unused low bits are ignored.
  @Test func p010() throws {
    func bytes(_ codes: [UInt16], low: UInt16) -> [UInt8] {
      codes.flatMap { code in
        let word = code << 6 | low
        return [UInt8(word & 0xFF), UInt8(word >> 8)]
      }
    }
    let luma: [UInt16] = [64, 940, 1023, 0, 1, 2, 512, 511, 513]
    let chroma: [UInt16] = [512, 600, 511, 601, 3, 700, 1020, 701]
    let layout = PixelLayout(.p010, width: 3, height: 3)
    let found = try image(bytes(luma + chroma, low: 0b101010), layout)
    #expect(codes(found) == [luma, [512, 511, 3, 1020], [600, 601, 700, 701]])
    #expect(try found.pixels(as: layout) == bytes(luma + chroma, low: 0))
    // White is code 940: 1000 0011 00 over six zero bits.
    #expect(try Array(found.pixels(as: layout)[2..<4]) == [0x00, 0xEB])
  }

  // MARK: Round trips

  @Test(arguments: PixelLayout.Packing.allCases, PixelLayout.Alpha.allCases)
  func roundTrip(packing: PixelLayout.Packing, alpha: PixelLayout.Alpha) throws {
    for (width, height) in [(1, 1), (1, 2), (2, 1), (7, 3), (33, 67)] {
      for padding in [0, 1, 13] {
        var layout = PixelLayout(packing, width: width, height: height, alpha: alpha)
        var end = padding
        for plane in layout.rows.indices {
          layout.rows[plane].stride += padding
          layout.rows[plane].offset = end
          end += layout.rows[plane].stride * (plane == 0 ? height : (height + 1) / 2)
        }
        var source = randomImage(layout.imageLayout, seed: 21, floats: -1...70_000)
        if packing == .rgb10a2 || packing == .bgr10a2, alpha != .opaque {
          source = try withTwoBitAlpha(source)
        }
        if packing == .rgbHalf || packing == .rgbaHalf { source = inHalves(source) }
        let bytes = try source.pixels(as: layout)
        let back = try image(bytes, layout)
        #expect(codes(back) == codes(source) && floats(back) == floats(source))
        #expect(try back.pixels(as: layout) == bytes)
        try checkUnsafe(source, layout, bytes)
      }
    }
  }

  private func withTwoBitAlpha(_ image: ImagePlanes) throws -> ImagePlanes {
    guard case .integer(var planes) = image.planes else { return image }
    let alpha = samples(planes[3]).map { $0 % 4 * 341 }
    planes[3] = plane(alpha, width: image.layout.width)
    return ImagePlanes(layout: image.layout, planes: .integer(planes))
  }

  private func inHalves(_ image: ImagePlanes) -> ImagePlanes {
    guard case .float(let planes) = image.planes else { return image }
    let rounded = planes.map { component in
      plane(samples(component).map { Float(Float16($0)) }, width: image.layout.width)
    }
    return ImagePlanes(layout: image.layout, planes: .float(rounded))
  }

  /// Buffers not owned by Swift, one for each plane, yield the same result; bytes between rows are
  /// unchanged.
  private func checkUnsafe(
    _ image: ImagePlanes, _ layout: PixelLayout, _ bytes: [UInt8]
  ) throws {
    let sizes = layout.rows.indices.map { plane in
      let end = plane + 1 < layout.rows.count ? layout.rows[plane + 1].offset : bytes.count
      return end - layout.rows[plane].offset
    }
    let buffers = unsafe sizes.map {
      UnsafeMutableRawBufferPointer.allocate(byteCount: $0, alignment: 1)
    }
    defer { unsafe buffers.forEach { unsafe $0.deallocate() } }
    unsafe buffers.forEach { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0) }
    try unsafe image.write(toUnsafePixels: buffers, as: layout)
    let found = unsafe buffers.flatMap { unsafe Array($0) }
    #expect(found == Array(bytes.dropFirst(layout.rows[0].offset)))
    let back = try unsafe ImagePlanes(
      unsafePixels: buffers.map { UnsafeRawBufferPointer($0) }, layout: layout)
    #expect(codes(back) == codes(image) && floats(back) == floats(image))
  }

  /// Every 10-bit alpha is rounded to the nearest 2-bit alpha.
  @Test func alphaOfTwoBits() throws {
    let layout = PixelLayout(.rgb10a2, width: 1024, height: 1)
    let zero = plane([UInt16](repeating: 0, count: 1024), width: 1024)
    let alpha = plane((0..<1024).map { UInt16($0) }, width: 1024)
    let image = ImagePlanes(
      layout: layout.imageLayout, planes: .integer([zero, zero, zero, alpha]))
    let bytes = try image.pixels(as: layout)
    for code in 0..<1024 {
      #expect(
        Int(bytes[4 * code + 3] >> 6) == Int(clamping: (Double(code) / 341).rounded()), "\(code)")
    }
  }

  /// Codes out of range of the depth do not overflow into adjacent components.
  @Test func codesBeyondTheDepth() throws {
    for (packing, expected) in [
      (PixelLayout.Packing.rgb10a2, [UInt8]([0xFF, 0x03, 0x00, 0xC0])),
      (.rgba8, [0xFF, 0, 0, 0xFF]),
    ] {
      let layout = PixelLayout(packing, width: 1, height: 1, alpha: .opaque)
      let image = ImagePlanes(
        layout: layout.imageLayout,
        planes: .integer([plane([.max], width: 1), plane([0], width: 1), plane([0], width: 1)]))
      #expect(try image.pixels(as: layout) == expected)
    }
  }

  // MARK: Errors

  @Test func buffersTooSmall() throws {
    let layout = PixelLayout(.p010, width: 4, height: 4)
    let bytes = [UInt8](repeating: 0, count: 47)
    let error = #expect(throws: ImageError.self) { _ = try image(bytes, layout) }
    #expect(
      error?.code.english == "buffer of {size byte} for pixels of {needed byte}"
        && error?.parameters == ["size": 47, "needed": 48])
    let source = randomImage(layout.imageLayout, seed: 1)
    var short = bytes
    #expect(throws: ImageError.self) { try write(source, to: &short, layout) }
    #expect(throws: ImageError.self) {
      try unsafe source.write(toUnsafePixels: [], as: layout)
    }
  }

  @Test func imagesOfAnotherFormat() throws {
    let image = randomImage(PixelLayout(.rgba16, width: 4, height: 4).imageLayout, seed: 1)
    for layout in [
      PixelLayout(.rgba8, width: 4, height: 4), PixelLayout(.rgba16, width: 4, height: 5),
      PixelLayout(.rgba16, width: 4, height: 4, alpha: .opaque),
      PixelLayout(.rgbaHalf, width: 4, height: 4),
    ] {
      let error = #expect(throws: ImageError.self) { try image.pixels(as: layout) }
      #expect(error?.category == .invalidArgument)
    }
  }

  // MARK: Linear values

  /// P010 in HLG to linear values, to a half-precision buffer of extended P3, and to 10-bit PQ.
  @Test func lightFromAndToBuffers() throws {
    let layout = PixelLayout(.p010, width: 6, height: 4)
    let hlg = ColorEncoding(
      primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant, isFullRange: false)
    let source = randomImage(layout.imageLayout, seed: 8, codes: 0.45...0.55)
    let bytes = try source.pixels(as: layout)
    let light = try LinearImage(pixels: bytes.span, layout: layout, encoding: hlg)
    #expect(try light.red == LinearImage(source, encoding: hlg).red)

    let halves = PixelLayout(.rgbaHalf, width: 6, height: 4)
    let extended = ColorEncoding(primaries: .displayP3, transfer: .linear)
    let buffer = try light.pixels(as: halves, encoding: extended)
    let back = try LinearImage(pixels: buffer.span, layout: halves, encoding: extended)
    let matrix = ColorPrimaries.bt2020.conversion(to: .displayP3)
    for y in 0..<4 {
      for x in 0..<6 {
        func color(_ image: LinearImage) -> SIMD3<Double> {
          SIMD3(
            Double(sample(image.red, x, y)), Double(sample(image.green, x, y)),
            Double(sample(image.blue, x, y)))
        }
        #expect(isClose(color(back), matrix * color(light), relative: 0x1p-10))
      }
    }
    #expect(back.alpha.map { samples($0) } == [Float](repeating: 1, count: 24))

    let ten = PixelLayout(.bgr10a2, width: 6, height: 4, alpha: .opaque)
    let pq = ColorEncoding(primaries: .bt2020, transfer: .pq)
    let words = try light.pixels(as: ten, encoding: pq)
    #expect(words.count == 96 && words[3] >> 6 == 3)
  }
}
