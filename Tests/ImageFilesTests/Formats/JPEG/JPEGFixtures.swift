// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport

@testable import ImageFiles

/// Small JPEG images with valid structure but without valid coded data.
enum JPEGFixtures {
  /// A baseline frame of 3x2 gray samples, one scan with a stuffed byte and a restart marker.
  static let tail = hex(
    """
    FFC0 000B 08 0002 0003 01 01 11 00
    FFDA 0008 01 01 00 00 3F 00
    1234 FF00 56 FFD0 789A
    FFD9
    """)

  static func image(_ segments: [UInt8]...) -> [UInt8] {
    [0xFF, 0xD8] + segments.joined() + tail
  }

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  static func segment(_ role: JPEGSegment.Role, _ body: [UInt8]) -> [UInt8] {
    segment(role.marker.rawValue, role.signature + body)
  }

  static func parse(_ bytes: [UInt8]) throws(ImageError) -> JPEGFile {
    try JPEGFile(parsing: ByteSource(bytes))
  }

  static func roles(_ image: JPEGImage) -> [JPEGSegment.Role] { image.segments.map(\.role) }

  static func xmp(_ body: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">\(body)\
      </rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  /// XMP with a container directory of a primary image and a gain map of `length` bytes.
  static func directory(length: Int, padding: Int = 0) -> [UInt8] {
    xmp(
      """
      <rdf:Description xmlns:C="http://ns.google.com/photos/1.0/container/" \
      xmlns:I="http://ns.google.com/photos/1.0/container/item/"><C:Directory><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="Primary" I:Padding="\(padding)"/></rdf:li>\
      <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="GainMap" I:Length="\(length)"/></rdf:li>\
      </rdf:Seq></C:Directory></rdf:Description>
      """)
  }

  /// A gain map file: a primary image with both directories, and the gain map.
  static func gainMapFile(
    order: TIFFFile.ByteOrder = .bigEndian, trailer: [UInt8] = []
  ) -> [UInt8] {
    let map = image(segment(.isoGainMap, [0, 0, 0, 0]))
    let xmp = segment(.xmp, directory(length: map.count))
    let big = order == .bigEndian
    func long(_ value: Int) -> [UInt8] {
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
      return big ? bytes : bytes.reversed()
    }
    func pointers(_ size: Int, _ offset: Int) -> [UInt8] {
      let head =
        big
        ? hex("4D4D002A 00000008 0001 B002 0007 00000020 0000001A 00000000")
        : hex("49492A00 08000000 0100 02B0 0700 20000000 1A000000 00000000")
      return segment(
        .multiPicture,
        head + long(0x30000) + long(size) + long(0) + long(0) + long(0) + long(map.count)
          + long(offset) + long(0))
    }
    let size = image(xmp, pointers(0, 0)).count
    let header = 2 + xmp.count + 8
    return image(xmp, pointers(size, size - header)) + map + trailer
  }
}
