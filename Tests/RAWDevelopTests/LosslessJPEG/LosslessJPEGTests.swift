// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Lossless JPEG") struct LosslessJPEGTests {
  /// The contents of the vectors; see their README.
  private static func image(components: Int, bits: Int) -> [UInt16] {
    (0..<23).flatMap { y in
      (0..<37).flatMap { x in
        (0..<components).map { k in
          let sum = 3 * x * x + 5 * x * y + 7 * y * y + 1009 * k + 37 * ((31 * x + 17 * y) % 13)
          return UInt16(sum % (1 << bits))
        }
      }
    }
  }

  private static func noise(_ count: Int, bits: Int, seed: UInt64) -> [UInt16] {
    var noise = SplitMix(seed: seed)
    return (0..<count).map { _ in UInt16.random(in: 0...UInt16(1 << bits - 1), using: &noise) }
  }

  @Test("every predictor, as libjpeg-turbo writes it", arguments: 1...7)
  func predictors(predictor: Int) throws {
    for (bits, components) in [(16, 1), (12, 3)] {
      let name = "p\(predictor)-b\(bits)-c\(components).jpg"
      let jpeg = try LosslessJPEG(parsing: Vectors.bytes("lossless-jpeg/\(name)"))
      #expect(jpeg.header.predictor == predictor && jpeg.header.precision == bits)
      #expect(try jpeg.decode() == Self.image(components: components, bits: bits))
    }
  }

  @Test(arguments: [(2, 1), (8, 4), (10, 3), (14, 1)])
  func depths(bits: Int, components: Int) throws {
    let name = "p1-b\(bits)-c\(components).jpg"
    let jpeg = try LosslessJPEG(parsing: Vectors.bytes("lossless-jpeg/\(name)"))
    #expect(try jpeg.decode() == Self.image(components: components, bits: bits))
  }

  @Test("restart markers, long codes and two components", arguments: 1...7)
  func restarts(predictor: Int) throws {
    let encoder = LosslessJPEGEncoder(
      width: 19, height: 40, components: 2, precision: 14, predictor: predictor, restartRows: 3,
      hasLongCodes: true)
    let samples = Self.noise(19 * 40 * 2, bits: 14, seed: 1)
    #expect(try LosslessJPEG(parsing: encoder.encode(samples)).decode() == samples)
  }

  @Test("the point transform drops the lower bits")
  func pointTransform() throws {
    let encoder = LosslessJPEGEncoder(
      width: 9, height: 7, precision: 12, predictor: 4, pointTransform: 2)
    let samples = Self.noise(63, bits: 12, seed: 2)
    let decoded = try LosslessJPEG(parsing: encoder.encode(samples)).decode()
    #expect(decoded == samples.map { $0 & ~3 })
  }

  @Test("differences of 32768, before and since DNG 1.1", arguments: [false, true])
  func largestDifference(hasBitsAfter32768: Bool) throws {
    let samples: [UInt16] = [0, 32_768, 0, 5, 32_773, 65_535, 32_767, 1]
    let encoder = LosslessJPEGEncoder(width: 8, height: 1, hasBitsAfter32768: hasBitsAfter32768)
    let jpeg = try LosslessJPEG(
      parsing: encoder.encode(samples), hasBitsAfter32768: hasBitsAfter32768)
    #expect(try jpeg.decode() == samples)
  }

  @Test("truncated data is an error at any length")
  func truncation() throws {
    let encoder = LosslessJPEGEncoder(width: 11, height: 9, restartRows: 4, hasLongCodes: true)
    let bytes = encoder.encode(Self.noise(99, bits: 16, seed: 3))
    for count in 0..<bytes.count - 2 {
      #expect(throws: ImageError.self, "\(count) of \(bytes.count) bytes") {
        try LosslessJPEG(parsing: Array(bytes[..<count])).decode()
      }
    }
    #expect(throws: Never.self) { try LosslessJPEG(parsing: Array(bytes.dropLast(2))).decode() }
  }

  @Test("the rows of truncated data are salvaged, the others are 0")
  func salvaging() throws {
    let encoder = LosslessJPEGEncoder(width: 11, height: 9)
    let samples = Self.noise(99, bits: 16, seed: 3)
    let bytes = encoder.encode(samples)
    let jpeg = try LosslessJPEG(parsing: Array(bytes[..<(bytes.count * 3 / 4)]))
    let (salvaged, damage) = try jpeg.salvage()
    #expect(damage?.code.id == "raw/scan-truncated")
    let rows = salvaged.lastIndex { $0 != 0 }.map { $0 / 11 + 1 } ?? 0
    #expect((1..<9).contains(rows))
    #expect(salvaged[..<(rows * 11)] == samples[..<(rows * 11)])
    #expect(throws: ImageError.self) { try jpeg.decode() }
  }

  @Test("a large frame in few bytes is an error")
  func bomb() throws {
    var bytes = LosslessJPEGEncoder(width: 4, height: 4).encode(Array(repeating: 7, count: 16))
    bytes.replaceSubrange(7..<11, with: [0xFF, 0xFF, 0xFF, 0xFF])
    let error = #expect(throws: ImageError.self) { try LosslessJPEG(parsing: bytes).decode() }
    #expect(error?.category == .truncated)
  }

  @Test("other processes and invalid tables give different errors")
  func refusals() throws {
    let good = LosslessJPEGEncoder(width: 4, height: 4).encode(Array(repeating: 7, count: 16))
    func code(_ edit: (inout [UInt8]) -> Void) -> ImageError.Category? {
      var bytes = good
      edit(&bytes)
      do throws(ImageError) {
        _ = try LosslessJPEG(parsing: bytes, fileOffset: 100).decode()
        return nil
      } catch {
        #expect((error.location.offset ?? 0) >= 100)
        return error.category
      }
    }
    #expect(code { $0[3] = 0xC0 } == .unsupported)
    #expect(code { $0[0] = 0 } == .malformed)
    #expect(code { $0[6] = 17 } == .malformed)
    // Sixteen counts of codes, then the symbols: 9 codes of 3 bits, and a difference of 17 bits.
    #expect(code { ($0[22], $0[24]) = (9, 8) } == .malformed)
    #expect(code { $0[36] = 17 } == .malformed)
  }
}
