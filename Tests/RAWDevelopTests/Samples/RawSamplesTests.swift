// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Raw samples") struct RawSamplesTests {
  private static func noise(_ count: Int, bits: Int) -> [UInt16] {
    var noise = SplitMix(seed: UInt64(bits))
    return (0..<count).map { _ in UInt16.random(in: 0...UInt16(1 << bits - 1), using: &noise) }
  }

  private static func decode(_ file: SyntheticDNG, threads: Int = 2) throws -> RawSamples {
    let dng = try DNGFile(TIFFFile(parsing: ByteSource(file.bytes)))
    let execution = Execution(threads: threads)
    return try execution.run { () throws(ImageError) in try dng.decodeRaw() }
  }

  /// Rows of samples, packed from the upper bits down; each row begins with a byte.
  private static func pack(
    _ samples: [UInt16], perRow: Int, bits: Int, _ file: SyntheticDNG
  ) -> [UInt8] {
    stride(from: 0, to: samples.count, by: perRow).flatMap { start -> [UInt8] in
      let row = samples[start..<start + perRow]
      if bits == 16 { return row.flatMap { file.number(Int($0), 2) } }
      let digits = row.flatMap { sample in (0..<bits).reversed().map { sample >> UInt16($0) & 1 } }
      return stride(from: 0, to: digits.count, by: 8).map { first in
        (0..<8).reduce(UInt8(0)) { byte, bit in
          byte << 1 | (first + bit < digits.count ? UInt8(digits[first + bit]) : 0)
        }
      }
    }
  }

  /// Splits an image into tiles, padded with its last columns and rows.
  private static func tiles<Sample>(
    _ samples: [Sample], width: Int, height: Int, planes: Int, tileWidth: Int, tileHeight: Int
  ) -> [[Sample]] {
    stride(from: 0, to: height, by: tileHeight).flatMap { top in
      stride(from: 0, to: width, by: tileWidth).map { left in
        (0..<tileHeight).flatMap { y in
          (0..<tileWidth).flatMap { x in
            (0..<planes).map { plane in
              let (row, column) = (min(top + y, height - 1), min(left + x, width - 1))
              return samples[(row * width + column) * planes + plane]
            }
          }
        }
      }
    }
  }

  @Test(
    "packed integers in strips", arguments: [8, 9, 10, 12, 14, 15, 16],
    [TIFFFile.ByteOrder.littleEndian, .bigEndian])
  func packed(bits: Int, order: TIFFFile.ByteOrder) throws {
    var file = SyntheticDNG(width: 13, height: 10, planes: 3, bits: bits, order: order)
    file.isBig = order == .bigEndian
    let samples = Self.noise(13 * 10 * 3, bits: bits)
    file.main.entries[278] = .longs([4])
    file.main.chunks = [0..<4, 4..<8, 8..<10].map { rows in
      Self.pack(
        Array(samples[rows.lowerBound * 39..<rows.upperBound * 39]), perRow: 39, bits: bits, file)
    }
    #expect(try Self.decode(file).integers == samples)
  }

  @Test("separate planes")
  func planar() throws {
    var file = SyntheticDNG(width: 5, height: 4, planes: 3, bits: 12)
    let samples = Self.noise(60, bits: 12)
    file.main.entries[284] = .shorts([2])
    file.main.chunks = (0..<3).map { plane in
      Self.pack(
        stride(from: plane, to: 60, by: 3).map { samples[$0] }, perRow: 5, bits: 12, file)
    }
    #expect(try Self.decode(file).integers == samples)
  }

  /// OpenImageIO's bayer-r5.dng stores 256x172 of a tile of 512x256; LibRaw and dng_validate read it.
  @Test(
    "tiles that are not padded", arguments: [1, 8, 7], [true, false])
  func unpadded(compression: Int, isNarrow: Bool) throws {
    var file = SyntheticDNG(width: 26, height: 17, planes: 1, bits: 16)
    let samples = Self.noise(26 * 17, bits: 16)
    file.main.entries[259] = .shorts([compression])
    (file.main.entries[322], file.main.entries[323]) = (.longs([52]), .longs([32]))
    let width = isNarrow ? 26 : 52
    let stored = (0..<17).flatMap { y in
      (0..<width).map { x in samples[y * 26 + min(x, 25)] }
    }
    let bytes = Self.pack(stored, perRow: width, bits: 16, file)
    file.main.chunks = [
      try compression == 1
        ? bytes
        : compression == 8
          ? Zlib.deflate(bytes)
          : LosslessJPEGEncoder(width: width / 2, height: 17, components: 2, precision: 16)
            .encode(stored)
    ]
    var dng = try DNGFile(TIFFFile(parsing: ByteSource(file.bytes)))
    dng.decodingNotices = DecodingNotices()
    #expect(try dng.decodeRaw().integers == samples)
    #expect(dng.decodingNotices.all.map(\.code.id) == ["raw/chunk-unpadded"])
    // Less than the rows within the image is an error, as before.
    file.main.chunks[0].removeLast(compression == 1 ? 2 : 20)
    let error = #expect(throws: ImageError.self) { try Self.decode(file) }
    #expect(error?.category == .truncated || error?.category == .malformed)
  }

  /// LibRaw reads the rows that are in the file.
  @Test("byte counts that are 0 or exceed the file", arguments: [true, false], [0, 4096])
  func wrongByteCounts(isTiled: Bool, count: Int) throws {
    var file = SyntheticDNG(width: 16, height: 24, planes: 1, bits: 16)
    let samples = Self.noise(16 * 24, bits: 16)
    file.main.entries[278] = .longs([16])
    if isTiled { (file.main.entries[322], file.main.entries[323]) = (.longs([16]), .longs([16])) }
    file.main.chunks = [samples[..<256], samples[256...]].map {
      Self.pack(Array($0), perRow: 16, bits: 16, file)
    }
    let bytes = file.bytesWithSamplesLast(declaring: [count, count])
    var dng = try DNGFile(TIFFFile(parsing: ByteSource(bytes)))
    dng.decodingNotices = DecodingNotices()
    #expect(try dng.decodeRaw().integers == samples)
    #expect(
      dng.decodingNotices.all.map(\.code.id)
        == ["tiff/byte-count-ignored"] + (isTiled ? ["raw/chunk-unpadded"] : []))
    let cut = try DNGFile(TIFFFile(parsing: ByteSource(Array(bytes.dropLast(2)))))
    let error = #expect(throws: ImageError.self) { try cut.decodeRaw() }
    #expect(error?.code.id == "raw/chunk-truncated")
  }

  @Test("lossless JPEG tiles whose frames have another shape", arguments: [(1, 2), (3, 3), (3, 1)])
  func losslessJPEG(planes: Int, components: Int) throws {
    var file = SyntheticDNG(width: 30, height: 21, planes: planes, bits: 12, order: .bigEndian)
    let samples = Self.noise(30 * 21 * planes, bits: 12)
    file.main.entries[259] = .shorts([7])
    (file.main.entries[322], file.main.entries[323]) = (.longs([16]), .longs([8]))
    let tiles = Self.tiles(
      samples, width: 30, height: 21, planes: planes, tileWidth: 16, tileHeight: 8)
    // The only row of a frame may be several of the tile.
    let encoder = LosslessJPEGEncoder(
      width: components == 1 ? 16 * 8 * planes : 16 * planes / components,
      height: components == 1 ? 1 : 8, components: components, precision: 12)
    file.main.chunks = tiles.map { encoder.encode($0) }
    let decoded = try Self.decode(file)
    #expect(decoded.integers == samples)
    for threads in [1, 5] {
      let decoded = try Self.decode(file, threads: threads)
      #expect(decoded.integers == samples)
    }
  }

  @Test(
    "lossless JPEG whose frames are of other bits than samples",
    arguments: [(12, 13), (12, 14), (12, 16), (12, 12), (2, 2), (5, 5), (7, 7), (7, 8)])
  func framePrecision(bits: Int, precision: Int) throws {
    var file = SyntheticDNG(width: 17, height: 6, bits: bits)
    let samples = Self.noise(17 * 6, bits: bits)
    file.main.entries[259] = .shorts([7])
    file.main.chunks = [
      LosslessJPEGEncoder(width: 17, height: 6, precision: precision).encode(samples)
    ]
    #expect(try Self.decode(file).integers == samples)
    let layout = try RawLayout(
      of: SyntheticDNG.parsed(file).raw, version: .newest, limits: ImageLimits())
    #expect(layout.largestCode == 1 << bits - 1)
    // Fewer than 8 bits require lossless JPEG.
    file.main.entries[259] = .shorts([1])
    if bits < 8 { #expect(throws: ImageError.self) { try Self.decode(file) } }
  }

  @Test("deflated integers", arguments: [(1, 0), (2, 1), (34_892, 2), (34_893, 4)])
  func deflatedIntegers(predictor: Int, distance: Int) throws {
    var file = SyntheticDNG(width: 12, height: 6, planes: 3, order: .bigEndian)
    let samples = Self.noise(12 * 6 * 3, bits: 16)
    var stored = samples
    for place in samples.indices.reversed() where distance > 0 && place % 36 >= 3 * distance {
      stored[place] &-= samples[place - 3 * distance]
    }
    file.main.entries[259] = .shorts([8])
    file.main.entries[317] = .shorts([predictor])
    file.main.chunks = [try Zlib.deflate(Self.pack(stored, perRow: 36, bits: 16, file))]
    #expect(try Self.decode(file).integers == samples)
  }

  @Test("rows and columns of interleaved fields")
  func interleaved() throws {
    var file = SyntheticDNG(width: 7, height: 5)
    let samples = Self.noise(35, bits: 16)
    file.main.entries[50_975] = .shorts([2])
    file.main.entries[52_547] = .longs([2])
    let (rows, columns) = ([0, 2, 4, 1, 3], [0, 2, 4, 6, 1, 3, 5])
    let stored = rows.flatMap { y in columns.map { x in samples[y * 7 + x] } }
    file.main.chunks = [Self.pack(stored, perRow: 7, bits: 16, file)]
    #expect(try Self.decode(file).integers == samples)
  }

  /// The bits of a float of 16 or 24 bits that is exactly this.
  private static func shortBits(_ value: Float, exponentBits: Int, fractionBits: Int) -> Int {
    let sign = value.sign == .minus ? 1 << (exponentBits + fractionBits) : 0
    guard value != 0 else { return sign }
    let exponent = Int(value.exponent) + 1 << (exponentBits - 1) - 1
    let fraction = Int(clamping: (value.magnitude.significand - 1) * Float(1 << fractionBits))
    return sign | exponent << fractionBits | fraction
  }

  @Test(
    "floating point", arguments: [16, 24, 32], [1, 3, 34_894, 34_895])
  func floats(bits: Int, predictor: Int) throws {
    var file = SyntheticDNG(
      width: 10, height: 4, planes: 3, bits: bits,
      order: predictor == 3 ? .bigEndian : .littleEndian)
    var noise = SplitMix(seed: 5)
    let samples = (0..<120).map { _ in Float(Int.random(in: -900...900, using: &noise)) / 64 }
    let patterns = samples.map { sample in
      switch bits {
      case 16: Self.shortBits(sample, exponentBits: 5, fractionBits: 10)
      case 24: Self.shortBits(sample, exponentBits: 7, fractionBits: 16)
      default: Int(sample.bitPattern)
      }
    }
    file.main.entries[339] = .shorts([3, 3, 3])
    file.main.entries[259] = .shorts([8])
    file.main.entries[317] = .shorts([predictor])
    let size = bits / 8
    let rows = (0..<4).map { row in patterns[row * 30..<row * 30 + 30] }
    let stored = rows.flatMap { row -> [UInt8] in
      guard predictor != 1 else { return row.flatMap { file.number($0, size) } }
      let distance = predictor == 3 ? 3 : predictor == 34_894 ? 6 : 12
      let bytes = (0..<size).reversed().flatMap { byte in
        row.map { UInt8(truncatingIfNeeded: $0 >> (8 * byte)) }
      }
      return bytes.indices.map { bytes[$0] &- ($0 >= distance ? bytes[$0 - distance] : 0) }
    }
    file.main.chunks = [try Zlib.deflate(stored)]
    #expect(try Self.decode(file).floats == samples)
    // The same without compression.
    guard predictor == 1 else { return }
    file.main.entries[259] = .shorts([1])
    file.main.chunks = [stored]
    #expect(try Self.decode(file).floats == samples)
  }

  /// Source: IEEE 754 and the DNG specification, worked out by hand.
  @Test func specialFloats() {
    func half(_ bits: UInt32) -> Float { Float(bits: bits, exponentBits: 5, fractionBits: 10) }
    #expect(half(0x3C00) == 1 && half(0xC000) == -2 && half(0x7BFF) == 65_504)
    #expect(half(1) == 0x1p-24 && half(0x8000) == 0 && half(0x7C00) == .infinity)
    #expect(half(0x7E00).isNaN)
    func long(_ bits: UInt32) -> Float { Float(bits: bits, exponentBits: 7, fractionBits: 16) }
    #expect(long(0x3F0000) == 1 && long(0x3E8000) == 0.75 && long(1) == 0x1p-78)
  }

  @Test("damaged and oversized samples are errors with a location")
  func damage() throws {
    var file = SyntheticDNG(width: 16, height: 16)
    file.main.chunks = [[UInt8](repeating: 0, count: 512)]
    #expect(throws: Never.self) { try Self.decode(file) }
    func error(_ edit: (inout SyntheticDNG) -> Void) -> ImageError? {
      var file = file
      edit(&file)
      do {
        _ = try Self.decode(file)
        return nil
      } catch { return error as? ImageError }
    }
    let short = error { $0.main.chunks[0].removeLast() }
    #expect(short?.category == .truncated && short?.location.path == ["IFD0", "strip 0"])
    #expect(short?.location.offset == 8)
    let beyond = error {
      $0.main.entries[279] = nil
      $0.main.chunks = []
      $0.main.entries[273] = .longs([1 << 20])
      $0.main.entries[279] = .longs([512])
    }
    #expect(beyond?.category == .truncated)
    #expect(error { $0.main.entries[278] = .longs([5]) }?.category == .malformed)
    #expect(error { $0.main.entries[278] = .longs([0]) }?.category == .malformed)
    #expect(error { $0.main.entries[256] = .longs([100_000]) }?.category == .limitExceeded)
    #expect(error { $0.main.entries[256] = .longs([0]) }?.category == .malformed)
    let tall = error { file in
      for tag in [257, 278] { file.main.entries[UInt16(tag)] = .longs([60_000]) }
    }
    #expect(tall?.category == .truncated)
    #expect(
      error { $0.main.entries[259] = .shorts([9]) }?.parameters["compression"]
        == .text("VC-5 (9)"))
    #expect(error { $0.main.entries[258] = .shorts([32]) }?.category == .unsupported)
    #expect(error { $0.main.entries[277] = .shorts([2]) }?.category == .unsupported)
    #expect(error { $0.main.entries[50_974] = .shorts([2, 2]) }?.category == .unsupported)
    #expect(error { $0.main.entries[50_975] = .shorts([0]) }?.category == .malformed)
    let wrong = error { file in
      file.main.entries[259] = .shorts([7])
      let jpeg = LosslessJPEGEncoder(width: 15, height: 16)
      file.main.chunks = [jpeg.encode([UInt16](repeating: 7, count: 240))]
    }
    #expect(wrong?.category == .malformed)
    let limited = #expect(throws: ImageError.self) {
      try DNGFile(TIFFFile(parsing: ByteSource(file.bytes)))
        .decodeRaw(limits: ImageLimits(memory: 511))
    }
    #expect(limited?.category == .limitExceeded)
  }
}
