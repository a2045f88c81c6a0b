// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import GainMap
import HDRCore
import ImageCodecs

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// Files that violate JPEG and Ultra HDR.
extension Break {
  static let jpeg: [Break] = segments + ultraHDR

  private static let segments: [Break] = [
    jpeg(["jpeg/icc-chunks"], .jpeg) { file in
      guard let profile = file.primary.segments(.icc).first?.body else { return }
      try file.primary.replace(.icc, with: [[1, 2] + profile.dropFirst(2)])
    },
    jpeg(["jpeg/exif"], .jpeg) { try $0.primary.setExif([1, 2, 3]) },
    jpeg(["jpeg/xmp"], .jpeg) { try $0.primary.setXMP(Array("<rdf".utf8)) },
    jpeg(["jpeg/extended-xmp"], .jpeg) { file in
      guard var chunk = file.primary.segments(.extendedXMP).first?.body,
        let place = chunk.lastIndex(of: UInt8(ascii: "l"))
      else { return }
      chunk[place] = UInt8(ascii: "m")
      try file.primary.replace(.extendedXMP, with: [chunk])
    },
    bytes(["jpeg/end"], .jpeg) { $0.removeLast(2) },
    jpeg(["jpeg/scans"], .jpeg) { file in
      for (index, part) in file.primary.parts.enumerated() {
        guard case .scan(let range) = part else { continue }
        file.primary.parts[index] = .scan(range.lowerBound..<range.upperBound - range.count / 4)
      }
    },
    bytes(["jpeg/gain-map-samples"], .ultraHDR) { bytes in
      let file = try JPEGFile(parsing: ByteSource(bytes))
      let tables = file.images[1].segments.first { $0.marker == JPEGMarker(rawValue: 0xC4) }
      // Marker, length and class, then the numbers of codes of one and of two bits.
      guard let start = tables?.stored?.lowerBound else { return }
      bytes.replaceSubrange(start + 5..<start + 7, with: [0xFF, 0xFF])
    },
    directory(["jpeg/mpf-content", "uhdr/mpf"]) { $0[9] = 0xFF },
    // The second entry's offset is the third word of the second sixteen bytes at 50.
    directory(["jpeg/mpf-offsets", "uhdr/mpf"]) { $0[50 + 16 + 11] ^= 1 },
    directory(["jpeg/mpf-sizes"]) { $0[50 + 7] ^= 1 },
    made(["jpeg/directory"], .ultraHDR) {
      try GainMapFiles.ultraHDR(xmp: true, iso: true) {
        GainMapFiles.primaryPacket(length: $0, semantics: ["Depth", "GainMap"])
      }
    },
    made(["jpeg/directory-lengths"], .ultraHDR) {
      try GainMapFiles.ultraHDR(xmp: true, iso: true) {
        GainMapFiles.primaryPacket(length: $0 + 1)
      }
    },
  ]

  private static let ultraHDR: [Break] = [
    bytes(
      ["uhdr/map-there", "jpeg/mpf-offsets", "jpeg/directory-lengths"], .ultraHDRWithXMPAlone
    ) { bytes in
      let file = try JPEGFile(parsing: ByteSource(bytes))
      bytes.removeLast(bytes.count - (file.primary.stored?.upperBound ?? 0))
    },
    jpeg(["uhdr/mpf"], .ultraHDR) { try $0.primary.replace(.multiPicture, with: []) },
    made(["uhdr/directory"], .ultraHDR) {
      try GainMapFiles.ultraHDR(xmp: true, iso: true) {
        GainMapFiles.primaryPacket(length: $0, semantics: [])
      }
    },
    made(["uhdr/primary-version"], .ultraHDR) {
      try GainMapFiles.ultraHDR(xmp: true, iso: true) {
        GainMapFiles.primaryPacket(length: $0, version: nil)
      }
    },
    map(["uhdr/map-version"], GainMapFiles.mapPacket(version: "2.0")),
    map(["uhdr/numbers"], GainMapFiles.mapPacket(maximum: "-1"), iso: false),
    map(
      ["uhdr/base-rendition"], GainMapFiles.mapPacket(more: "hdrgm:BaseRenditionIsHDR=\"True\""),
      iso: false),
    bytes(["uhdr/map-samples", "jpeg/gain-map-samples"], .ultraHDR) { bytes in
      let file = try JPEGFile(parsing: ByteSource(bytes))
      let frame = file.images[1].segments.first { $0.marker.isFrame }
      // Marker, length, then the bits of a sample.
      if let start = frame?.stored?.lowerBound { bytes[start + 4] = 12 }
    },
    jpeg(["uhdr/primary-profile"], .ultraHDR) { try $0.primary.setProfile(nil) },
    map(["uhdr/iso-agrees"], GainMapFiles.mapPacket(maximum: "2.5")),
    jpeg(["uhdr/iso-version"], .ultraHDR) { try $0.primary.setISOGainMap(nil) },
    made(["uhdr/iso-alternate-color"], .ultraHDRWithISOAlone) {
      try GainMapFiles.ultraHDR(
        xmp: false, iso: true, metadata: GainMapFiles.make(usesBase: false))
    },
  ]

  private static func map(
    _ rules: Set<String>, _ packet: [UInt8], iso: Bool = true
  ) -> Break {
    made(rules, iso ? .ultraHDR : .ultraHDRWithXMPAlone) {
      try GainMapFiles.ultraHDR(xmp: true, iso: iso, mapPacket: packet)
    }
  }

  /// Changes the body of the multi-picture directory in place.
  private static func directory(
    _ rules: Set<String>, _ change: @escaping @Sendable (inout [UInt8]) -> Void
  ) -> Break {
    bytes(rules, .ultraHDR) { bytes in
      let file = try JPEGFile(parsing: ByteSource(bytes))
      guard let segment = file.primary.segments(.multiPicture).first,
        let end = segment.stored?.upperBound
      else { return }
      var body = segment.body
      change(&body)
      bytes.replaceSubrange(end - body.count..<end, with: body)
    }
  }
}
#endif
