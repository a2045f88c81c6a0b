// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import HDRCore
import ImageCodecs

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Files that violate PNG and ICC.
extension Break {
  static let png: [Break] = [
    bytes(["png/end"], .png10) { $0.removeLast(12) },
    png(["png/end"], .pngGainMap) { file in
      guard let map = file.chunk(.gainMap) else { return }
      file.set(PNGChunk(.gainMap, try file.data(of: map).dropLast(12)))
    },
    bytes(["png/chunk-order"], .png10) { bytes in
      bytes.insert(contentsOf: chunk("pHYs", pixelSize), at: bytes.count - 12)
    },
    bytes(["png/chunk-once"], .png10) { bytes in
      bytes.insert(
        contentsOf: chunk("pHYs", pixelSize) + chunk("pHYs", pixelSize), at: afterHeader)
    },
    bytes(["png/checksums"], .png10) { bytes in
      var damaged = chunk("pHYs", pixelSize)
      damaged[damaged.count - 1] ^= 1
      bytes.insert(contentsOf: damaged, at: afterHeader)
    },
    png(["png/chunk-content"], .png) { $0.set(PNGChunk(.contentLightLevel, [0, 0, 0, 1])) },
    png(["png/cicp-matrix", "22028-5/H5-MTX-1"], .png10) {
      $0.set(PNGChunk(.codePoints, [9, 16, 9, 1]))
    },
    png(["png/mdcv-with-cicp"], .png) { $0.remove(.codePoints) },
    png(["png/profile-or-srgb", "png/srgb-fallback"], .png) {
      $0.set(PNGStandardRGB(renderingIntent: 1))
    },
    png(["png/srgb-fallback"], .png10) { $0.set(PNGStandardRGB(renderingIntent: 1)) },
    bytes(["png/spelling"], .png10) { bytes in
      bytes.insert(
        contentsOf: chunk("cLLi", [5, 0xF5, 0xE1, 0, 5, 0xF5, 0xE1, 0]), at: afterHeader)
    },
    png(["png/profile"], .png) { $0.set(PNGChunk(.profile, [65, 0, 0, 1, 2, 3])) },
    png(["png/exif"], .png) { file in
      file.set(PNGChunk(.exif, Array("Exif\0\0".utf8) + ExifBlock.minimal(orientation: .upright)))
    },
    png(["png/xmp"], .png) { $0.setXMP(Array("<rdf".utf8)) },
    bytes(["png/trailer"], .png10) { $0 += [1, 2, 3] },
    png(["png/gain-map"], .png10) { $0.set(PNGChunk(.gainMapMetadata, [0, 0, 0, 0])) },
    png(["png/gain-map"], .pngGainMap) { $0.remove(.gainMapMetadata) },
    png(["png/gain-map"], .pngGainMap) { file in
      // Skia does not look for it behind IDAT.
      let late = file.chunks.filter { $0.type == .gainMap }
      file.remove(.gainMap)
      file.chunks.insert(contentsOf: late, at: file.chunks.count - 1)
    },
    png(["png/gain-map"], .pngGainMap) { file in
      guard let map = try file.gainMapImage() else { return }
      var silent = map
      silent.remove(.gainMapMetadata)
      file.set(PNGChunk(.gainMap, try silent.serialized().allBytes()))
    },
    png(["png/gain-map"], .pngGainMap) { $0.set(PNGChunk(.gainMap, [1, 2, 3])) },
    png(["png/gain-map-samples"], .pngGainMap) { file in
      guard var map = try file.gainMapImage() else { return }
      map.chunks.removeAll { $0.type == .imageData }
      map.insert(PNGChunk(.imageData, [1, 2, 3]))
      file.set(PNGChunk(.gainMap, try map.serialized().allBytes()))
    },
  ]

  private static let pixelSize: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0]
  /// The signature and IHDR.
  static let afterHeader = 33

  static func chunk(_ name: StaticString, _ data: [UInt8]) -> [UInt8] {
    PNGChunk(PNGChunk.ChunkType(name), data).serialized(data)
  }

  static let icc: [Break] = [
    profile(["icc/readable"]) { $0[36] = 0 },
    profile(["icc/size"]) { $0[1] = 1 },
    profile(["icc/profile-id"], correctsID: false) { $0[84] ^= 1 },
    profile(["icc/tag-layout"]) { $0[entry("chad", in: $0) + 4] = 0x7F },
    profile(["icc/required-tags"]) { $0[entry("cprt", in: $0)] = UInt8(ascii: "x") },
    profile(["icc/media-white"]) { $0[data("wtpt", in: $0) + 9] = 0x80 },
    profile(["icc/cicp-form"]) { $0[data("cicp", in: $0) + 10] = 9 },
    profile(["icc/cicp-version"]) { $0[9] = 0x20 },
    profile(["icc/cicp-class"]) { $0.replaceSubrange(12..<16, with: "prtr".utf8) },
    profile(["icc/cicp-colorants", "22028-5/H5-SIG-2"]) { $0[data("cicp", in: $0) + 8] = 1 },
  ]

  private static func profile(
    _ rules: Set<String>, correctsID: Bool = true,
    _ change: @escaping @Sendable (inout [UInt8]) -> Void
  ) -> Break {
    png(rules, .png) { file in
      guard var profile = try file.profile()?.bytes else { return }
      change(&profile)
      if correctsID { profile = ICCProfile.correctingIdentifier(of: profile) }
      try file.setProfile(profile)
    }
  }

  /// Offset of a tag in the tag table.
  private static func entry(_ name: String, in profile: [UInt8]) -> Int {
    stride(from: 132, to: profile.count, by: 12).first {
      profile[$0..<$0 + 4].elementsEqual(name.utf8)
    } ?? 0
  }

  /// Offset of the data of a tag.
  private static func data(_ name: String, in profile: [UInt8]) -> Int {
    let entry = entry(name, in: profile)
    return profile[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
  }
}
#endif
