// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzTargets
import HDRCore
import ImageFiles
import TestSupport
import Testing

@Suite("Structured mutation") struct StructuredMutationTests {
  private static let seeds = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzz/Seeds")

  private static func seed(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: seeds.appending(path: name)))
  }

  private static func mutated(_ bytes: [UInt8], seed: UInt64) -> [UInt8]? {
    var mutation = StructuredMutation(seed: seed, limit: bytes.count + 4096) { $0 + [1, 2, 3] }
    return mutation.apply(to: bytes)
  }

  /// Files that are still parsed after each of 200 mutations; random changes of bytes leave few.
  @Test(
    "lengths and checksums fit the mutated contents",
    arguments: ["png/chunks.png", "heif/made.heic", "jpeg/ultra-hdr-big.jpg", "exif/little"])
  func lengths(name: String) throws {
    let bytes = try Self.seed(name)
    let files = (0..<200).compactMap { Self.mutated(bytes, seed: $0) }
    #expect(Set(files).count > 20)
    let readable = files.filter { file in
      switch name.split(separator: "/")[0] {
      case "png": (try? PNGFile(parsing: ByteSource(file))) != nil
      case "heif": (try? HEIFFile(parsing: ByteSource(file))) != nil
      case "jpeg": (try? JPEGFile(parsing: ByteSource(file))) != nil
      default: (try? TIFFFile(parsing: ByteSource(file))) != nil
      }
    }
    #expect(readable.count > files.count / 4)
  }

  @Test("a mutation depends on its seed only")
  func repeatable() throws {
    let bytes = try Self.seed("heif/made.avif")
    for seed in 0..<20 as Range<UInt64> {
      #expect(Self.mutated(bytes, seed: seed) == Self.mutated(bytes, seed: seed))
    }
  }

  @Test("results are not larger than the limit, and bytes without structure are not mutated")
  func bounds() throws {
    let bytes = try Self.seed("png/made.png")
    for seed in 0..<50 as Range<UInt64> {
      var mutation = StructuredMutation(seed: seed, limit: bytes.count) { $0 + $0 }
      #expect(mutation.apply(to: bytes).map { $0.count <= bytes.count } ?? true)
    }
    #expect(Self.mutated([1, 2, 3, 4], seed: 1) == nil)
  }
}
