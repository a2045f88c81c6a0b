// SPDX-License-Identifier: Apache-2.0
#if ICC
import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

@testable import ImageCodecs

/// Profiles whose tables are of `lutAToBType`, without `cicp` tag and without tone curves.
@Suite("ICC tables with several stages") struct ICCMultiStageTests {
  /// Formulas of BT.2100, table 4 and 5, in double precision.
  private enum Formula {
    /// Share of 10000 cd/m².
    static func pq(_ signal: Double) -> Double {
      let root = pow(signal, 1 / 78.84375)
      return pow(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
    }

    /// Scene-linear values.
    static func hlg(_ signal: Double) -> Double {
      signal <= 0.5
        ? signal * signal / 3
        : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
  }

  /// XYZ of BT.2020's primaries, adapted to D50 by Bradford; rows.
  ///
  /// Source: colour-science, `matrix_RGB_to_XYZ` and `matrix_chromatic_adaptation_VonKries`.
  private static let colorants: [[Double]] = [
    [0.673_459, 0.165_661, 0.125_100], [0.279_033, 0.675_338, 0.045_629],
    [-0.001_931, 0.029_977, 0.797_157],
  ]

  private static func curve(_ function: (Double) -> Double) -> [UInt8] {
    var writer = ByteWriter()
    writer.write("curv")
    writer.writeBigEndian(0 as UInt32)
    writer.writeBigEndian(1024 as UInt32)
    for index in 0..<1024 {
      let value = min(max(function(Double(index) / 1023), 0), 1)
      writer.writeBigEndian(UInt16(clamping: (value * 65_535).rounded()))
    }
    return writer.bytes
  }

  private static let identity: [UInt8] = Array("curv".utf8) + [UInt8](repeating: 0, count: 8)

  /// An identity table of two nodes in each direction.
  private static var lookup: [UInt8] {
    var writer = ByteWriter()
    writer.write([2, 2, 2] + [UInt8](repeating: 0, count: 13) + [2, 0, 0, 0])
    for corner in 0..<8 {
      for bit in [4, 2, 1] { writer.writeBigEndian(corner & bit == 0 ? 0 : 0xFFFF as UInt16) }
    }
    return writer.bytes
  }

  /// Builds a profile of one table.
  ///
  /// Source: ICC.1:2022, 7.2 and 10.12.
  private static func profile(
    _ curve: [UInt8], hasLookup: Bool = false, scale: Double = 1
  ) -> [UInt8] {
    var matrix = ByteWriter()
    // XYZ of 1 + 32767/32768 is stored as 1.
    for element in colorants.joined() {
      matrix.writeBigEndian(Int32(clamping: (element * scale * 32_768 / 65_535 * 65_536).rounded()))
    }
    for _ in 0..<3 { matrix.writeBigEndian(0 as Int32) }
    func three(_ curve: [UInt8]) -> [UInt8] { curve + curve + curve }
    // Stages and their offsets, in the order of the fields: B, matrix, M, lookup, A.
    let stages = [
      three(identity), matrix.bytes, three(hasLookup ? identity : curve), hasLookup ? lookup : [],
      hasLookup ? three(curve) : [],
    ]
    var table = ByteWriter()
    table.write("mAB ")
    table.writeBigEndian(0 as UInt32)
    table.write([3, 3, 0, 0])
    var offset = 32
    for stage in stages {
      table.writeBigEndian(stage.isEmpty ? 0 : UInt32(offset))
      offset += stage.count
    }
    for stage in stages { table.write(stage) }
    let d50: [UInt32] = [0xF6D6, 0x10000, 0xD32D]
    var writer = ByteWriter()
    writer.writeBigEndian(UInt32(176 + table.bytes.count))
    writer.writeBigEndian(0 as UInt32)
    writer.writeBigEndian(0x0440_0000 as UInt32)
    writer.write("mntrRGB XYZ ")
    writer.write([UInt8](repeating: 0, count: 12))
    writer.write("acsp")
    writer.write([UInt8](repeating: 0, count: 28))
    for code in d50 { writer.writeBigEndian(code) }
    writer.write([UInt8](repeating: 0, count: 48))
    writer.writeBigEndian(2 as UInt32)
    for (tag, offset, size) in [("wtpt", 156, 20), ("A2B0", 176, table.bytes.count)] {
      writer.write(tag)
      writer.writeBigEndian(UInt32(offset))
      writer.writeBigEndian(UInt32(size))
    }
    writer.write("XYZ ")
    writer.writeBigEndian(0 as UInt32)
    for code in d50 { writer.writeBigEndian(code) }
    writer.write(table.bytes)
    return writer.bytes
  }

  private static let format = ImageLayout(
    width: 1, height: 1, components: .rgb, samples: .integer(bits: 16))

  private static func resolved(_ profile: [UInt8]) -> ResolvedColor {
    ResolvedColor(
      decoding: ColorDescription(icc: profile), in: .tiff, format: format, assumed: nil)
  }

  /// PQ to 10000 cd/m², or scaled to a reference white of 203 cd/m² by curves or matrix; HLG.
  @Test(arguments: [
    Named("PQ", (profile(curve(Formula.pq)), TransferFunction.pq)),
    Named("PQ before a lookup table", (profile(curve(Formula.pq), hasLookup: true), .pq)),
    Named("PQ scaled by the curves", (profile(curve { Formula.pq($0) * 10_000 / 203 }), .pq)),
    Named("PQ scaled by the matrix", (profile(curve(Formula.pq), scale: 10_000.0 / 203), .pq)),
    Named("HLG", (profile(curve(Formula.hlg)), .hlg)),
    Named("HLG before a lookup table", (profile(curve(Formula.hlg), hasLookup: true), .hlg)),
  ])
  func recognized(_ made: Named<([UInt8], TransferFunction)>) throws {
    let (profile, transfer) = made.value
    let color = Self.resolved(profile)
    #expect(color.encoding.primaries == .bt2020)
    #expect(color.encoding.transfer == transfer)
    #expect(color.appliedProfile == nil)
    #expect(color.notices.map(\.code.id) == ["color/transfer-recognized"])
  }

  /// Other curves are left to Little CMS.
  @Test(arguments: [false, true])
  func converted(hasLookup: Bool) throws {
    let exponent = 1.8
    let color = Self.resolved(
      Self.profile(Self.curve { pow($0, exponent) }, hasLookup: hasLookup))
    #expect(color.appliedProfile != nil)
    let signal = [0.9, 0.4, 0.2]
    let planes = signal.map { signal in
      Plane<UInt16>(width: 1, height: 1, filledWith: UInt16(clamping: (signal * 65_535).rounded()))
    }
    let image = ImagePlanes(layout: Self.format, planes: .integer(planes))
    let coded = Image(coded: Self.format) { () throws(ImageError) in PlanesReader(image) }
    let pixel = try Image(coded: coded, resolved: color).planes().pixel(0, 0)
    for (index, signal) in signal.enumerated() {
      #expect(abs(Double(pixel[index]) - pow(signal, exponent)) < 1e-3)
    }
  }
}
#endif
