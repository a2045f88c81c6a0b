// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if ICC
@Suite("Profiles through Little CMS") struct ICCRowReaderTests {
  private let p3ToBT2020 = ColorPrimaries.displayP3.conversion(to: .bt2020)

  /// For a matrix profile, Little CMS and `ImageTransform` give the same result.
  @Test func matrix() throws {
    let profile = ICCProfile.generate(
      primaries: .displayP3, curve: .srgb, description: "test")
    let transform = try ICCTransform(profile: profile, isGray: false)
    for signal in [SIMD3(1, 1, 1), SIMD3(0, 0, 0), SIMD3(1, 0, 0), SIMD3(0.2, 0.7, 0.04)] {
      let light =
        p3ToBT2020
        * SIMD3(
          SRGB.eotf(signal.x), SRGB.eotf(signal.y), SRGB.eotf(signal.z))
      let result = transform.converted([signal.x, signal.y, signal.z].map { Float($0) })
      for index in 0..<3 { #expect(abs(Double(result[index]) - light[index]) < 2e-4) }
    }
  }

  /// Tables: the curve x², then Display P3's colorants.
  @Test func tables() throws {
    let profile = tableProfile()
    let format = ImageLayout(
      width: 3, height: 2, components: .rgb, samples: .integer(bits: 16), hasAlpha: true)
    let signal = [SIMD3(0.5, 0.25, 1), SIMD3(1, 1, 1), SIMD3(0.1, 0.9, 0.3)]
    let planes = (0..<4).map { component in
      Plane<UInt16>(width: 3, height: 2) { samples in
        for index in 0..<6 {
          samples.append(
            component == 3
              ? 1000 : UInt16(clamping: (signal[index % 3][component] * 65_535).rounded()))
        }
      }
    }
    let image = ImagePlanes(layout: format, planes: .integer(planes))
    let color = ColorDescription(icc: profile)
    let resolved = ResolvedColor(color, in: .tiff, format: format, assumed: nil)
    #expect(resolved.appliedProfile == profile)
    #expect(resolved.notices.isEmpty)
    let coded = Image(coded: format) { () throws(ImageError) in PlanesReader(image) }
    let source = Image(coded: coded, resolved: resolved)
    #expect(source.color == ColorEncoding(primaries: .bt2020, transfer: .linear))
    #expect(source.layout.samples == .float)
    let decoded = try source.decode(stripHeight: 1)
    for (x, signal) in signal.enumerated() {
      let light = p3ToBT2020 * (signal * signal)
      let pixel = decoded.pixel(x, 1)
      for index in 0..<3 { #expect(abs(Double(pixel[index]) - light[index]) < 3e-3) }
      #expect(abs(pixel[3] - 1000 / 65_535) < 1e-6)
    }
  }

  /// Y'CbCr is converted to R'G'B' before the profile is applied, without seams between strips.
  @Test func ycbcr() throws {
    let format = ImageLayout(
      width: 8, height: 40, components: .ycbcr(.yuv420), samples: .integer(bits: 8))
    let planes = (0..<3).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { samples in
        for position in 0..<size.width * size.height {
          samples.append(index == 0 ? 128 : UInt16(100 + position % 50))
        }
      }
    }
    let image = ImagePlanes(layout: format, planes: .integer(planes))
    let signal = ColorEncoding(
      primaries: .bt709, transfer: .linear, matrix: .bt601, chromaLocation: .center)
    func decode(stripHeight: Int) throws -> UInt32 {
      let reader = try ICCRowReader(
        PlanesReader(image), profile: tableProfile(), signal: signal)
      let source = Image(
        ImageDescription(
          layout: reader.layout, color: ColorEncoding(primaries: .bt2020, transfer: .linear))
      ) { () throws(ImageError) in
        try ICCRowReader(
          PlanesReader(image), profile: tableProfile(), signal: signal)
      }
      return try source.decode(stripHeight: stripHeight).checksum
    }
    let whole = try decode(stripHeight: 40)
    #expect(try decode(stripHeight: 2) == whole)
    #expect(try decode(stripHeight: 16) == whole)
  }

  @Test func gray() throws {
    let transform = try ICCTransform(profile: grayProfile(), isGray: true)
    let light = transform.converted([0, 0.5, 1])
    for (index, value) in [0, 0.25, 1].enumerated() {
      for component in 0..<3 { #expect(abs(Double(light[3 * index + component]) - value) < 1e-3) }
    }
  }

  @Test func nonsenseIsRefused() {
    let error = #expect(throws: ImageError.self) {
      try ICCTransform(profile: [UInt8](repeating: 1, count: 300), isGray: false)
    }
    #expect(error?.category == .malformed)
  }

  /// Source: ICC.1:2022, 10.10: `mft2`.
  private func tableProfile() -> [UInt8] {
    let adapted = ChromaticAdaptation.bradford.matrix(
      from: .d65, to: Chromaticity(x: 0.345_703, y: 0.358_539))
    let colorants = adapted * ColorPrimaries.displayP3.rgbToXYZ
    var table = ByteWriter()
    table.write("mft2")
    table.writeBigEndian(0 as UInt32)
    table.write([3, 3, 2, 0])
    for element in Matrix3x3.identity.elements {
      table.writeBigEndian(Int32(clamping: element * 65_536))
    }
    table.writeBigEndian(256 as UInt16)
    table.writeBigEndian(2 as UInt16)
    for _ in 0..<3 {
      for index in 0..<256 {
        table.writeBigEndian(UInt16((index * index * 65_535 + 32_512) / 65_025))
      }
    }
    for corner in 0..<8 {
      let rgb = SIMD3(Double(corner >> 2), Double(corner >> 1 & 1), Double(corner & 1))
      // XYZ of 1 + 32767/32768 is the largest code value.
      let xyz = colorants * rgb
      for index in 0..<3 { table.writeBigEndian(UInt16(clamping: max(xyz[index], 0) * 32_768)) }
    }
    for _ in 0..<3 { table.write([0, 0, 0xFF, 0xFF]) }
    return profile(space: "RGB ", tag: "A2B0", content: table.bytes)
  }

  private func grayProfile() -> [UInt8] {
    var curve = ByteWriter()
    curve.write("curv")
    curve.writeBigEndian(0 as UInt32)
    curve.writeBigEndian(1 as UInt32)
    curve.writeBigEndian(0x200 as UInt16)
    curve.writeBigEndian(0 as UInt16)
    return profile(space: "GRAY", tag: "kTRC", content: curve.bytes)
  }

  /// Source: ICC.1:2022, 7.2 and 7.3.
  private func profile(space: String, tag: String, content: [UInt8]) -> [UInt8] {
    var white = ByteWriter()
    white.write("XYZ ")
    white.writeBigEndian(0 as UInt32)
    for code: UInt32 in [0xF6D6, 0x10000, 0xD32D] { white.writeBigEndian(code) }
    var writer = ByteWriter()
    writer.writeBigEndian(UInt32(128 + 4 + 24 + 20 + content.count))
    writer.writeBigEndian(0 as UInt32)
    writer.writeBigEndian(0x0240_0000 as UInt32)
    writer.write("mntr\(space)XYZ ")
    writer.write([UInt8](repeating: 0, count: 12))
    writer.write("acsp")
    writer.write([UInt8](repeating: 0, count: 28))
    for code: UInt32 in [0xF6D6, 0x10000, 0xD32D] { writer.writeBigEndian(code) }
    writer.write([UInt8](repeating: 0, count: 48))
    writer.writeBigEndian(2 as UInt32)
    writer.write("wtpt")
    writer.writeBigEndian(156 as UInt32)
    writer.writeBigEndian(20 as UInt32)
    writer.write(tag)
    writer.writeBigEndian(176 as UInt32)
    writer.writeBigEndian(UInt32(content.count))
    writer.write(white.bytes)
    writer.write(content)
    return writer.bytes
  }
}
#endif
