// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport

@testable import ImageFiles

/// Low-overhead files assembled bit by bit, as specified in annex O of ISO/IEC 23008-12.
struct MinimizedFiles: CustomStringConvertible {
  var brand = "avif"
  var version: UInt32 = 0
  var codecTypes: (String, String)?
  var isFloat = false
  /// Whether all sizes have wide fields.
  var isLarge = true
  var width: UInt32 = 160
  var orientation: UInt32 = 1
  var cicp: [UInt32]?
  var chroma: UInt32 = 3
  var depth: UInt32 = 8
  var configuration = hex("81200000")
  var image = hex("0A0B0C0D0E")
  var alpha: [UInt8]?
  var alphaConfiguration: [UInt8] = []
  var isPremultiplied = false
  var profile: [UInt8]?
  var exif: [UInt8]?
  var xmp: [UInt8]?
  var isCompressed = false
  /// Flags and fields of the HDR metadata.
  var light: (flags: [Bool], fields: [UInt8])?
  var hasGainMap = false
  var gainMapMetadata = hex("0000000000")
  var gainMapData = hex("1112131415")

  /// An image with alpha, HDR metadata, a gain map, a profile, Exif and XMP.
  static let full = MinimizedFiles(
    orientation: 6, cicp: [9, 16, 9], chroma: 1, depth: 10, configuration: hex("81004C00"),
    alpha: hex("2122"), alphaConfiguration: hex("81005C00"), isPremultiplied: true,
    profile: hex("0102030405"), exif: hex("4D4D002A00000008"), xmp: Array("<x/>".utf8),
    light: (
      [true, true, true, true, true, true],
      hex("03E800CB") + hex("21349BAA199608FC8A4839083D13404200989680") + hex("00000005")
        + hex("1C00000000000F4240000318F8") + hex("000186A03D134042")
        + hex("0000C3500C370CDA0000C3500C370CDA") + hex("001EF9B0")
    ), hasGainMap: true)

  var description: String { "\(brand), \(depth) bits, orientation \(orientation)" }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.writeBox("ftyp") { writer in
      writer.write(Array("mif3\(brand)".utf8))
    }
    writer.writeBox("mini") { $0.write(content) }
    return writer.bytes
  }

  var content: [UInt8] {
    var bits = BitWriter()
    writeHead(&bits)
    if light != nil || hasGainMap { writeHDR(&bits) }
    writeSizes(&bits)
    while bits.bits.count % 8 != 0 { bits.write(false) }
    var chunks = configuration + alphaConfiguration + (profile ?? [])
    if hasGainMap { chunks += gainMapMetadata }
    chunks += alpha ?? []
    if hasGainMap { chunks += gainMapData }
    // The bit writer appends a stop bit, which low-overhead files do not have.
    return bits.bytes.dropLast() + chunks + image + (exif ?? []) + (xmp ?? [])
  }

  private func writeHead(_ bits: inout BitWriter) {
    bits.write(version, bits: 2)
    bits.write(codecTypes != nil, isFloat, true, alpha != nil, cicp != nil)
    bits.write(light != nil || hasGainMap, profile != nil, exif != nil, xmp != nil)
    bits.write(chroma, bits: 2)
    bits.write(orientation - 1, bits: 3)
    bits.write(isLarge)
    bits.write(width - 1, bits: isLarge ? 15 : 7)
    bits.write(95, bits: isLarge ? 15 : 7)
    bits.write(0, bits: [0, 2, 1, 0][Int(chroma)])
    bits.write(depth > 8)
    if depth > 8 { bits.write(depth - 9, bits: 3) }
    if alpha != nil { bits.write(isPremultiplied) }
    for code in cicp ?? [] { bits.write(code, bits: 8) }
    if let codecTypes {
      for byte in Array((codecTypes.0 + codecTypes.1).utf8) { bits.write(UInt32(byte), bits: 8) }
    }
  }

  private func writeHDR(_ bits: inout BitWriter) {
    bits.write(hasGainMap)
    if hasGainMap {
      bits.write(false)
      bits.write(79, bits: isLarge ? 15 : 7)
      bits.write(47, bits: isLarge ? 15 : 7)
      bits.write(6, bits: 8)
      bits.write(true)
      bits.write(0, bits: 2)
      bits.write(false, false, false, true)
      for code: UInt32 in [12, 16, 6] { bits.write(code, bits: 8) }
      bits.write(true)
    }
    for flag in light?.flags ?? [Bool](repeating: false, count: 6) { bits.write(flag) }
    for byte in light?.fields ?? [] { bits.write(UInt32(byte), bits: 8) }
    if hasGainMap {
      bits.write(true, false, false, false, false, true)
      for byte in hex("07D000C8001EF9B0") { bits.write(UInt32(byte), bits: 8) }
    }
  }

  private func writeSizes(_ bits: inout BitWriter) {
    func write(_ count: Int, _ bits: inout BitWriter, small: Int, large: Int) {
      bits.write(UInt32(count), bits: isLarge ? large : small)
    }
    if profile != nil || exif != nil || xmp != nil || hasGainMap { bits.write(isLarge) }
    bits.write(isLarge, isLarge)
    if let profile { write(profile.count - 1, &bits, small: 10, large: 20) }
    if hasGainMap {
      write(gainMapMetadata.count, &bits, small: 10, large: 20)
      write(gainMapData.count, &bits, small: 15, large: 28)
      if !gainMapData.isEmpty { write(0, &bits, small: 3, large: 12) }
    }
    write(configuration.count, &bits, small: 3, large: 12)
    write(image.count - 1, &bits, small: 15, large: 28)
    if let alpha {
      write(alpha.count, &bits, small: 15, large: 28)
      if !alpha.isEmpty { write(alphaConfiguration.count, &bits, small: 3, large: 12) }
    }
    if exif != nil || xmp != nil { bits.write(isCompressed) }
    if let exif { write(exif.count - 1, &bits, small: 10, large: 20) }
    if let xmp { write(xmp.count - 1, &bits, small: 10, large: 20) }
  }
}
