// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Salvaging damaged samples") struct SalvageTests {
  /// A gray image of 8x8 in four tiles, whose samples are the tile's number.
  private static func tiled() throws -> SyntheticDNG {
    var file = SyntheticDNG(width: 8, height: 8)
    file.main.entries[262] = .shorts([34_892])
    file.main.entries[322] = .longs([4])
    file.main.entries[323] = .longs([4])
    file.main.entries[259] = .shorts([8])
    file.main.chunks = try (1...4).map { tile in
      try Zlib.deflate((0..<16).flatMap { _ in [UInt8(tile), 0] }, level: 6)
    }
    return file
  }

  private static func error(_ body: () throws -> Void) -> ImageError? {
    do {
      try body()
      return nil
    } catch { return error as? ImageError }
  }

  @Test("a damaged tile is an error with its location; salvaged, it is black")
  func damagedTile() throws {
    var file = try Self.tiled()
    file.main.chunks[2] = [1, 2, 3]
    let dng = try SyntheticDNG.parsed(file)
    let error = Self.error { _ = try dng.decodeRaw() }
    #expect(error?.location.path == ["IFD0", "tile 2"])
    let (samples, notices) = try dng.salvageRaw()
    let expected = [1, 2, 0, 4].map(UInt16.init)
    for (place, sample) in samples.integers.enumerated() {
      #expect(sample == expected[place / 32 * 2 + place % 8 / 4])
    }
    #expect(
      notices.map(\.code.english) == ["left black: {cause}"]
        && notices[0].location.path == ["IFD0", "tile 2"])
    var development = RawDevelopment()
    development.isSalvaging = true
    #expect(try file.document(development).notices.contains(notices[0]))
  }

  @Test("the available samples of a truncated file are decoded")
  func cutFile() throws {
    var file = SyntheticDNG(width: 4, height: 6)
    file.main.entries[262] = .shorts([34_892])
    file.main.entries[278] = .longs([2])
    file.main.chunks = (1...3).map { strip in (0..<8).flatMap { _ in [UInt8(strip), 0] } }
    // The samples come last: the second strip is cut, the third one gone.
    var bytes = file.bytes
    let directory = try TIFFFile(parsing: ByteSource(bytes)).directories[0]
    let entry = try #require(directory[TIFFTag(rawValue: 273)])
    let size = bytes.count
    bytes.replaceSubrange(
      entry.values.lowerBound + 4..<entry.values.lowerBound + 12,
      with: file.number(size, 4) + file.number(size + 16, 4))
    bytes += [2, 0, 2, 0, 2, 0, 2, 0]
    let dng = try DNGFile(TIFFFile(parsing: ByteSource(bytes)))
    #expect(Self.error { _ = try dng.decodeRaw() }?.category == .truncated)
    let (samples, notices) = try dng.salvageRaw()
    let expected: [UInt16] =
      [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2] + [UInt16](repeating: 0, count: 12)
    #expect(samples.integers == expected)
    #expect(notices.map(\.location.path) == [["IFD0", "strip 1"], ["IFD0", "strip 2"]])
  }

  @Test("a file without any undamaged tile is an error")
  func nothing() throws {
    var file = try Self.tiled()
    file.main.chunks = Array(repeating: [9, 9], count: 4)
    #expect(throws: ImageError.self) { try SyntheticDNG.parsed(file).salvageRaw() }
  }
}
