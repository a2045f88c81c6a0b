// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HDRCore

/// Rows that are converted as they are read, compared with whole images.
@Suite("Converted rows") struct ConvertedRowsTests {
  private static func conversion(of layout: ImageLayout) -> ImageTransform {
    var target = layout
    (target.components, target.samples) = (.rgb, .integer(bits: 16))
    return ImageTransform(
      from: .init(
        layout: layout,
        color: ColorEncoding(
          primaries: .displayP3, transfer: .srgb,
          matrix: layout.components == .rgb ? .identity : .bt709)),
      to: .init(layout: target, color: ColorEncoding(primaries: .bt2020, transfer: .pq)))
  }

  /// Requests that overlap convert and measure each row once.
  @Test(
    arguments: [
      ImageLayout.Components.rgb, .ycbcr(.yuv420), .ycbcr(.yuv422),
    ], [0, 1, 2, 33])
  func rowsAreTheImage(components: ImageLayout.Components, overlap: Int) throws {
    let layout = ImageLayout(
      width: 18, height: 301, components: components, samples: .integer(bits: 8))
    let image = randomImage(layout, seed: 5)
    let conversion = Self.conversion(of: layout)
    let whole = try conversion.run(image)
    for threads in [1, 3] {
      try Execution(threads: threads).perform {
        let rows = ConvertedRows(PlanesReader(image), by: conversion)
        var end = 0
        while end < layout.height {
          let wanted = max(end - overlap, 0)..<min(end + 47, layout.height)
          let found = try rows.read(rows: wanted)
          #expect(found.layout == whole.image.layout.strip(height: wanted.count))
          try expectEqual(found, whole.image.strip(rows: wanted))
          // Rows that were read already.
          try expectEqual(
            rows.read(rows: wanted.upperBound - 1..<wanted.upperBound),
            whole.image.strip(rows: wanted.upperBound - 1..<wanted.upperBound))
          end = wanted.upperBound
        }
        #expect(rows.findings.lightLevels.maximum == whole.lightLevels.maximum)
        #expect(rows.findings.lightLevels.contentHeadroom == whole.lightLevels.contentHeadroom)
        #expect(rows.findings.clipping == whole.clipping)
        #expect(rows.findings.changes == whole.changes)
      }
    }
  }

  /// Codes of the target's encoding are measured, and not converted.
  @Test(arguments: [32, 47]) func equalEncodings(height: Int) throws {
    let layout = ImageLayout(width: 18, height: 301, components: .rgb, samples: .integer(bits: 16))
    let description = ImageDescription(
      layout: layout, color: ColorEncoding(primaries: .bt2020, transfer: .pq))
    let image = randomImage(layout, seed: 7)
    let conversion = ImageTransform(from: description, to: description)
    let whole = try conversion.run(image)
    let rows = ConvertedRows(PlanesReader(image), by: conversion)
    for start in stride(from: 0, to: layout.height, by: height) {
      let wanted = max(start - 2, 0)..<min(start + height, layout.height)
      try expectEqual(rows.read(rows: wanted), image.strip(rows: wanted))
    }
    #expect(rows.findings.lightLevels.contentLightLevel == whole.lightLevels.contentLightLevel)
    #expect(rows.findings.lightLevels.usedPrimaries == whole.lightLevels.usedPrimaries)
  }

  /// An error ends the conversion: later requests have the same one.
  @Test func errorsStay() throws {
    final class Broken: RowReader {
      let layout: ImageLayout
      init(_ layout: ImageLayout) { self.layout = layout }
      func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
        guard rows.lowerBound < 40 else { throw ImageError(.cancelled) }
        return randomImage(layout.strip(height: rows.count), seed: 2)
      }
    }
    let layout = ImageLayout(width: 4, height: 90, components: .rgb, samples: .integer(bits: 8))
    let rows = ConvertedRows(Broken(layout), by: Self.conversion(of: layout))
    // A request of few rows does not make strips of few rows.
    #expect(try rows.read(rows: 0..<1).layout.height == 1)
    _ = try rows.read(rows: 1..<32)
    _ = try rows.read(rows: 32..<64)
    for _ in 0..<2 {
      #expect(throws: ImageError(.cancelled)) { try rows.read(rows: 64..<90) }
    }
  }

  private func expectEqual(_ found: ImagePlanes, _ expected: ImagePlanes) throws {
    guard case .integer(let found) = found.planes, case .integer(let expected) = expected.planes
    else {
      Issue.record("not integers")
      return
    }
    #expect(found == expected)
  }

  @Test func requestsAreInOrder() throws {
    let layout = ImageLayout(width: 4, height: 90, components: .rgb, samples: .integer(bits: 8))
    let rows = ConvertedRows(
      PlanesReader(randomImage(layout, seed: 1)), by: Self.conversion(of: layout))
    _ = try rows.read(rows: 0..<32)
    _ = try rows.read(rows: 30..<64)
    for wanted in [29..<64, 65..<70, 40..<91, 64..<64] {
      let error = #expect(throws: ImageError.self) { try rows.read(rows: wanted) }
      #expect(error?.code == .rowsOutside)
    }
    #expect(try rows.read(rows: 30..<40).layout.height == 10)
  }
}
