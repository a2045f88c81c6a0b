// SPDX-License-Identifier: Apache-2.0
/// Small valid Exif and XMP for test images.
enum ReferenceMetadata {
  /// Little-endian Exif: ImageDescription, Artist, and an exposure time of 1/60 s.
  static let exif: [UInt8] = {
    let description = Array("Edges for codecs\0".utf8)
    let artist = Array("reference-scenes\0".utf8)
    // The header and the first directory of three entries have 8 + 2 + 3 * 12 + 4 bytes.
    let exifDirectory =
      50 + description.count + artist.count + (description.count + artist.count) % 2
    let ratio = exifDirectory + 2 + 12 + 4
    var bytes: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    bytes += little(UInt16(3))
    bytes += entry(0x010E, type: 2, count: description.count, value: 50)
    bytes += entry(0x013B, type: 2, count: artist.count, value: 50 + description.count)
    bytes += entry(0x8769, type: 4, count: 1, value: exifDirectory)
    bytes += little(UInt32(0)) + description + artist
    if bytes.count % 2 == 1 { bytes.append(0) }
    bytes += little(UInt16(1)) + entry(0x829A, type: 5, count: 1, value: ratio)
    return bytes + little(UInt32(0)) + little(UInt32(1)) + little(UInt32(60))
  }()

  static let xmp = Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Edges für Codecs</rdf:li></rdf:Alt></dc:title>
    </rdf:Description>
    </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="r"?>
    """.utf8)

  private static func entry(_ tag: UInt16, type: UInt16, count: Int, value: Int) -> [UInt8] {
    little(tag) + little(type) + little(UInt32(count)) + little(UInt32(value))
  }

  private static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
