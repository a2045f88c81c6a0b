// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Testing

/// Small files that other programs wrote, stored in `Vectors`.
enum Vectors {
  static func bytes(_ path: String) throws -> [UInt8] {
    let url = try #require(
      Bundle.module.url(forResource: "Vectors/\(path)", withExtension: nil))
    return Array(try Data(contentsOf: url))
  }

  static func open(_ path: String) throws -> SourceImage {
    try SourceImage(decoding: ByteSource(try bytes(path)), options: OpeningOptions())
  }

  /// Checks that replacing single bytes of a file yields an error or an image, never a trap.
  static func damage(_ path: String, step: Int) throws {
    let bytes = try self.bytes(path)
    let limits = ImageLimits(pixels: 1 << 20, memory: 1 << 26)
    for index in Swift.stride(from: 0, to: min(bytes.count, 1400), by: step) {
      for value: UInt8 in [0, 0xFF] {
        var damaged = bytes
        damaged[index] = value
        do throws(ImageError) {
          let image = try SourceImage(
            decoding:
              ByteSource(damaged), options: OpeningOptions(limits: limits)
          ).image
          _ = try image.makeReader().read(rows: 0..<image.layout.height)
        } catch {
          #expect(!error.message.isEmpty)
        }
      }
    }
  }

  /// Checks that truncating a file yields an error, for many lengths.
  ///
  /// The image is complete without the `ending`, a number of bytes.
  static func cut(_ path: String, step: Int, ending: Int = 0) throws {
    let bytes = try self.bytes(path)
    for length in Swift.stride(from: 0, to: bytes.count - ending, by: step) {
      #expect(throws: ImageError.self, "cut to \(length) bytes") {
        let image = try SourceImage(
          decoding:
            ByteSource(Array(bytes.prefix(length))), options: OpeningOptions()
        ).image
        _ = try image.makeReader().read(rows: 0..<image.layout.height)
      }
    }
  }
}
